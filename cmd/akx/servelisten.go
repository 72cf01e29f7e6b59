package main

import (
	"crypto/tls"
	"errors"
	"net"
	"os"
	"syscall"

	"akx/view/fault"
)

const hintPair = "--tls-cert and --tls-key name PEM files that belong together"

// loadPair reads the certificate of a service and its key.
func loadPair(cert, key string) (tls.Certificate, error) {
	texts := make([][]byte, 2)
	for i, path := range []string{cert, key} {
		text, err := os.ReadFile(path)
		if err != nil {
			err = fileError(path, err)
			var u *fault.Unavailable
			if errors.As(err, &u) && u.Hint == "" {
				u.Hint = hintPair
			}
			return tls.Certificate{}, err
		}
		texts[i] = text
	}
	pair, err := tls.X509KeyPair(texts[0], texts[1])
	if err != nil {
		return tls.Certificate{}, &fault.Unavailable{Code: fault.UnavailableCode, What: cert + " and " + key,
			Detail: "no certificate with its key", Hint: hintPair}
	}
	return pair, nil
}

// listenAt opens the socket of a service.
func listenAt(address string) (net.Listener, error) {
	socket, err := net.Listen("tcp", address)
	if err == nil {
		return socket, nil
	}
	u := &fault.Unavailable{Code: fault.UnavailableCode, What: address, Detail: "akx cannot listen there",
		Hint: "--listen takes an address of this machine and a port, such as :8443"}
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		u.Detail, u.Hint = "something listens there already", "end it, or name another port with --listen"
	case errors.Is(err, syscall.EACCES):
		u.Detail, u.Hint = "this user may not listen there", "name a port from 1024 on with --listen, or let this user listen there"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		u.Detail, u.Hint = "this machine does not have that address", "name one that it has with --listen, or none for all: :8443"
	}
	return nil, u
}
