package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Resolver finds the addresses of a host; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// DialFunc opens a connection to an address that was checked.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// maxAddrs bounds the addresses of one host that are tried.
const maxAddrs = 8

// dialTLS resolves, checks, dials and shakes hands. It is the transport's only way
// to a connection; whatever address the transport names, the origin's is dialled.
func (c *Client) dialTLS(ctx context.Context, _, _ string) (net.Conn, error) {
	addrs, err := c.resolve(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := c.connect(ctx, addrs)
	if err != nil {
		return nil, err
	}
	return c.handshake(ctx, conn)
}

// within runs f under a deadline of its own.
func (c *Client) within(ctx context.Context, d time.Duration, late *Failure, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := c.clock.AfterFunc(d, func() { cancel(late) })
	defer stop()
	err := f(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// resolve gives the addresses that may be dialled.
func (c *Client) resolve(ctx context.Context) ([]netip.Addr, error) {
	addrs := []netip.Addr{c.literal}
	if !c.literal.IsValid() {
		err := c.within(ctx, c.limits.Connect, timedOut(Resolving, "its name was not resolved in time"),
			func(ctx context.Context) (err error) {
				addrs, err = c.resolver.LookupNetIP(ctx, "ip", c.host)
				return err
			})
		if err != nil {
			return nil, resolveFailure(err)
		}
	}
	var allowed []netip.Addr
	why := ""
	for _, addr := range addrs {
		if words := checkAddr(addr, c.allowPrivate); words != "" {
			why = addr.Unmap().WithZone("").String() + " is not allowed: " + words
			continue
		}
		if len(allowed) < maxAddrs {
			allowed = append(allowed, addr.Unmap())
		}
	}
	switch {
	case len(allowed) > 0:
		return allowed, nil
	case why != "":
		return nil, &Failure{Kind: NotAllowed, text: "its address " + why}
	}
	return nil, &Failure{Kind: NoName, text: "its name has no address"}
}

func resolveFailure(err error) error {
	var f *Failure
	var dns *net.DNSError
	switch {
	case errors.As(err, &f), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &dns) && dns.IsNotFound:
		return &Failure{Kind: NoName, text: "its name does not exist"}
	}
	return &Failure{Kind: NoResolver, Brief: true, text: "its name cannot be resolved now"}
}

// connect tries the addresses in turn, each with an equal share of the time.
func (c *Client) connect(ctx context.Context, addrs []netip.Addr) (net.Conn, error) {
	share := c.limits.Connect / time.Duration(len(addrs))
	var last error
	for _, addr := range addrs {
		var conn net.Conn
		err := c.within(ctx, share, timedOut(Connecting, "it does not answer the call"),
			func(ctx context.Context) (err error) {
				conn, err = c.dial(ctx, "tcp", netip.AddrPortFrom(addr, c.port).String())
				return err
			})
		if err == nil {
			return conn, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		last = connectFailure(err)
	}
	return nil, last
}

func connectFailure(err error) error {
	var f *Failure
	switch {
	case errors.As(err, &f):
		return err
	case errors.Is(err, syscall.ECONNREFUSED):
		return &Failure{Kind: Refused, Brief: true, text: "nothing listens there"}
	}
	return &Failure{Kind: Unreachable, Brief: true, text: "there is no way to its address"}
}

func (c *Client) handshake(ctx context.Context, conn net.Conn) (net.Conn, error) {
	secure := tls.Client(conn, c.tls)
	err := c.within(ctx, c.limits.TLS, timedOut(Handshaking, "the TLS handshake did not end in time"),
		secure.HandshakeContext)
	if err == nil {
		return secure, nil
	}
	conn.Close()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, tlsFailure(err)
}

func tlsFailure(err error) error {
	var f *Failure
	var name x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	switch {
	case errors.As(err, &f):
		return err
	case errors.As(err, &name):
		return &Failure{Kind: WrongName, text: "its certificate is for " + certified(name.Certificate) + ", not for " + name.Host}
	case errors.As(err, &unknown):
		return &Failure{Kind: Untrusted, text: "its certificate is from an authority that is not trusted here"}
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return &Failure{Kind: Certificate, text: "its certificate is not valid now, by this machine's clock"}
	case errors.As(err, &verify):
		return &Failure{Kind: Certificate, text: "its certificate is not valid"}
	}
	return &Failure{Kind: NoTLS, text: "it does not speak TLS as it should"}
}

// maxCertified bounds the names of a certificate that are told.
const maxCertified = 3

// certified says what a certificate is for: host names of harmless characters and
// addresses.
func certified(c *x509.Certificate) string {
	var names []string
	harmless := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-.*_", r)
	}
	for _, name := range c.DNSNames {
		if len(name) <= 253 && !strings.ContainsFunc(name, func(r rune) bool { return !harmless(r) }) {
			names = append(names, name)
		}
	}
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	switch {
	case len(names) == 0:
		return "another name"
	case len(names) > maxCertified:
		return strings.Join(names[:maxCertified], ", ") + " and " + strconv.Itoa(len(names)-maxCertified) + " more"
	}
	return strings.Join(names, ", ")
}

// splitOrigin gives the host and the port of a canonical origin.
func splitOrigin(authority string) (host string, port uint16, err error) {
	host, digits, err := net.SplitHostPort(authority)
	if err != nil {
		host, digits = authority, "443"
		if len(host) > 1 && host[0] == '[' {
			host = host[1 : len(host)-1]
		}
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	return host, uint16(n), err
}
