package main

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"akx/cache"
	"akx/client/service"
	"akx/cmd/akx/report"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Bounds of a served connection. A request is answered within service's deadline.
const (
	headerTime  = 10 * time.Second // also for the TLS handshake
	readTime    = 30 * time.Second
	writeTime   = 2 * time.Minute
	idleTime    = time.Minute
	stopTime    = 10 * time.Second
	headerBytes = 32 << 10
	pageBytes   = 2 << 20
	// storePatience is how long a request waits for a store in other hands.
	storePatience = 5 * time.Second
)

func (a *app) serve(ctx context.Context, f *serveFlags) error {
	dir, origin, err := a.ownService("serve")
	if err != nil {
		return err
	}
	if f.listen == "" || f.cert == "" || f.key == "" {
		return &fault.Usage{Detail: "akx serve needs --listen, --tls-cert and --tls-key", Hint: "see akx serve --help"}
	}
	if _, port, err := net.SplitHostPort(f.listen); err != nil || port == "" {
		return &fault.Usage{Detail: "--listen takes an address and a port, not " + f.listen, Hint: "such as :443 or 127.0.0.1:8443"}
	}
	switch {
	case f.rate < 0:
		return &fault.Usage{Detail: "--rate takes 0 or more"}
	case f.conns < 1 || f.connsEach < 1:
		return &fault.Usage{Detail: "--connections and --connections-per-address take 1 or more"}
	}
	peers, err := peersOf(f.peers, origin)
	if err != nil {
		return err
	}
	policy, err := licensePolicy(f.licenses)
	if err != nil {
		return err
	}
	release, err := cache.Serving(dir, "akx serve --listen "+f.listen)
	if err != nil {
		return err
	}
	defer release()
	store, err := a.openServed(ctx, dir, origin)
	if err != nil {
		return err
	}
	defer store.Close()
	certificate, err := loadPair(f.cert, f.key)
	if err != nil {
		return err
	}
	s := &server{log: a.accessLog(f.logQueries), stopTime: stopTime, done: report.Served{Origin: string(origin)}}
	core := service.New(store, service.Options{Origin: origin, Clock: time.Now, Ranked: true, Peers: peers,
		Policy: policy, Licenses: takenLicenses(f.licenses), PageBytes: pageBytes})
	handler := service.NewHandler(core, service.HandlerOptions{
		NoSubmit: f.noSubmit || a.flags.readOnly, RequireToken: f.requireToken, Rate: float64(f.rate), Log: s.log.access,
		Limits: []wire.Limit{{Name: wire.LimitConnections, Value: int64(f.conns)}, {Name: wire.LimitPerAddress, Value: int64(f.connsEach)}}})
	socket, err := listenAt(f.listen)
	if err != nil {
		return err
	}
	s.done.Address = socket.Addr().String()
	s.log.begun(s.done, certificate, f.licenses)
	err = s.run(ctx, handler, newBounded(socket, f.conns, f.connsEach), certificate)
	s.done.Requests, s.done.Accepted, s.done.Failed = s.log.counts()
	return a.emit(&s.done, err)
}

// openServed opens the store of a service, and refuses one that is damaged or older
// than the numbers it gave.
func (a *app) openServed(ctx context.Context, dir string, origin identity.Origin) (*cache.Cache, error) {
	o := a.serviceOptions(origin)
	o.ReadOnly, o.Patience = a.flags.readOnly, storePatience
	store, err := cache.Open(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	if _, err := store.Checkpoint(ctx); err != nil {
		store.Close()
		return nil, err
	}
	return store, nil
}

// server is a service on a socket.
type server struct {
	log      *accessLog
	stopTime time.Duration // for the requests under way when it is stopped
	done     report.Served
}

// run serves until ctx ends, then lets the requests under way end.
//
// What is no HTTP request at all never reaches the handler: net/http itself answers a
// bad request line, a missing Host, a header over headerBytes or plain HTTP on this
// port with a status of 4xx or 5xx and some words in plain text, and closes the
// connection. It has no hook for that, and 9.7 asks for a document only where an
// operation was asked for. Nothing of it stands in the log.
func (s *server) run(ctx context.Context, handler http.Handler, socket net.Listener, certificate tls.Certificate) error {
	server := &http.Server{
		Handler:                      handler,
		TLSConfig:                    &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}},
		TLSNextProto:                 map[string]func(*http.Server, *tls.Conn, http.Handler){},
		ReadHeaderTimeout:            headerTime,
		ReadTimeout:                  readTime,
		WriteTimeout:                 writeTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               headerBytes,
		DisableGeneralOptionsHandler: true,
		// It would tell the addresses of those whose handshake failed.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.ServeTLS(socket, "", "") }()
	select {
	case err := <-ended:
		return &fault.Unavailable{Code: fault.UnavailableCode, What: s.done.Address, Detail: "the socket gave an error", Err: err}
	case <-ctx.Done():
	}
	s.log.note("info", "stopping: requests under way are answered")
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.stopTime)
	defer cancel()
	if err := server.Shutdown(limit); err == nil {
		return nil
	} else if !errors.Is(err, context.DeadlineExceeded) {
		return &fault.Unavailable{Code: fault.UnavailableCode, What: s.done.Address, Detail: "it did not stop in order", Err: err}
	}
	s.done.CutOff = true
	return &fault.Unavailable{Code: fault.Partial, What: s.done.Address, Detail: "requests were cut off when the time to stop was over", Err: server.Close()}
}

// takenLicenses is what a service publishes of a list of licences.
func takenLicenses(licenses []string) []string {
	if len(licenses) == 0 {
		return []string{wire.AnyLicense}
	}
	return licenses
}

// licensePolicy admits events under the licences of a list; any where it is empty.
func licensePolicy(licenses []string) (func(capsule.Event) error, error) {
	if len(licenses) == 0 {
		return nil, nil
	}
	for _, l := range licenses {
		if u, err := url.Parse(l); err != nil || u.Scheme != "https" || u.Host == "" {
			return nil, &fault.Usage{Detail: "--license takes an HTTPS URL, not " + l, Hint: "leave it out to take any licence"}
		}
	}
	return func(e capsule.Event) error {
		license := ""
		switch e := e.(type) {
		case *capsule.Publication:
			license = e.Payload().License
		case *capsule.Assessment:
			license = e.Payload().License
		default:
			return nil
		}
		if slices.Contains(licenses, license) {
			return nil
		}
		return fault.Refuse(fault.StepPolicy, "/event/payload/license", "this service takes only "+strings.Join(licenses, ", "))
	}, nil
}
