package clienttest

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"akx/view/identity"
)

// Network is a pretended internet. It is a resolver and a dialler.
type Network struct {
	// CA is the authority of all services, as PEM.
	CA []byte

	t         testing.TB
	authority *authority
	mu        sync.Mutex
	answers   map[string][][]netip.Addr // by host; the last answer stays
	listeners map[netip.Addr]string     // public address to loopback address
	lookups   []string
	dialled   []string
}

// NewNetwork makes a network without any service.
func NewNetwork(t testing.TB) *Network {
	a := newAuthority(t)
	return &Network{CA: a.pem, t: t, authority: a,
		answers: make(map[string][][]netip.Addr), listeners: make(map[netip.Addr]string)}
}

// Server is one service of a Network.
type Server struct {
	Origin identity.Origin
	// Addr is its public address in the network.
	Addr netip.Addr

	mu       sync.Mutex
	requests []string
	headers  []http.Header
}

// Serve starts a service for origin. names are those in its certificate; none
// means the right one.
func (n *Network) Serve(origin identity.Origin, handler http.Handler, names ...string) *Server {
	host := hostOf(origin)
	if len(names) == 0 {
		names = []string{host}
	}
	listener, addr := n.listen(host)
	s := &Server{Origin: origin, Addr: addr}
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.note(r)
			handler.ServeHTTP(w, r)
		}),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{n.authority.certificate(n.t, names...)}},
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.ServeTLS(listener, "", "")
	}()
	n.t.Cleanup(func() {
		server.Close()
		<-done
	})
	return s
}

// ServeRaw starts a service whose connections are given to f as they are, before
// any TLS.
func (n *Network) ServeRaw(origin identity.Origin, f func(net.Conn)) *Server {
	listener, addr := n.listen(hostOf(origin))
	n.t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go f(conn)
		}
	}()
	return &Server{Origin: origin, Addr: addr}
}

// listen opens a port on loopback and gives it a public address under host.
func (n *Network) listen(host string) (net.Listener, netip.Addr) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		n.t.Fatal(err)
	}
	n.mu.Lock()
	addr := netip.AddrFrom4([4]byte{93, 184, 216, byte(len(n.listeners) + 1)})
	n.listeners[addr] = listener.Addr().String()
	n.mu.Unlock()
	n.Name(host, addr)
	return listener, addr
}

// Secure shakes hands as the service of origin, for ServeRaw.
func (n *Network) Secure(conn net.Conn, origin identity.Origin) net.Conn {
	return tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{n.authority.certificate(n.t, hostOf(origin))}})
}

func hostOf(origin identity.Origin) string {
	host := strings.TrimPrefix(string(origin), "https://")
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return strings.Trim(host, "[]")
}

// Name lets host resolve to addrs.
func (n *Network) Name(host string, addrs ...netip.Addr) { n.Rebind(host, addrs) }

// Rebind lets host resolve to another of answers at each look-up; the last stays.
func (n *Network) Rebind(host string, answers ...[]netip.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers[host] = answers
}

// LookupNetIP resolves the names of the network.
func (n *Network) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lookups = append(n.lookups, host)
	answers := n.answers[host]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if len(answers) > 1 {
		n.answers[host] = answers[1:]
	}
	return answers[0], ctx.Err()
}

// Dial connects to the service that has the address.
func (n *Network) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	n.dialled = append(n.dialled, address)
	to, err := netip.ParseAddrPort(address)
	loopback := n.listeners[to.Addr()]
	n.mu.Unlock()
	if err != nil || loopback == "" {
		return nil, fmt.Errorf("the network has no host at %s", address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, loopback)
}

// Dialled lists the addresses that were dialled.
func (n *Network) Dialled() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.dialled)
}

// Elsewhere lists what was looked up or dialled and does not belong to s.
func (n *Network) Elsewhere(s *Server) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var list []string
	for _, host := range n.lookups {
		if host != hostOf(s.Origin) {
			list = append(list, host)
		}
	}
	for _, address := range n.dialled {
		if to, err := netip.ParseAddrPort(address); err != nil || to.Addr() != s.Addr {
			list = append(list, address)
		}
	}
	return list
}

func (s *Server) note(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
	header := r.Header.Clone()
	header.Set("Host", r.Host)
	s.headers = append(s.headers, header)
}

// Requests lists the requests that came, such as "GET /v1/knowledge/query?limit=10".
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Headers lists the headers of the requests, with Host among them.
func (s *Server) Headers() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.headers)
}
