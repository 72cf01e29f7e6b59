package main

import (
	"crypto/x509"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"akx/cache"
	"akx/client"
	"akx/client/fetch"
	"akx/client/service"
	"akx/cmd/akx/report"
	"akx/explore"
	"akx/explore/sample"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// network leads to the services of the user, which a store keeps.
func (a *app) network(store *cache.Cache) explore.Network {
	return explore.Network{Book: store, Store: store, Describer: store, Reach: a.reach, Offline: a.flags.offline}
}

// bounds are those of the settings; lax commands may have none.
func (a *app) bounds() explore.Bounds {
	if a.settings == nil {
		return explore.Bounds{}
	}
	return explore.Bounds{
		Dependencies: a.settings.number("fetch_events"),
		Depth:        a.settings.number("fetch_depth"),
		Bytes:        int64(a.settings.number("fetch_bytes")),
	}
}

// reach makes a client of one service; nothing is asked yet. Errors are *fault.Usage
// and those of the CA file.
func (a *app) reach(s desk.Service) (explore.Remote, error) {
	o := a.transport
	o.Version, o.AllowPrivate = agentVersion(buildVersion()), s.AllowPrivate
	name := s.Name
	if name == "" {
		name = string(s.Origin)
	}
	o.Waiting = func(w fetch.Wait) { a.waits.note(name, w, time.Now()) }
	if s.CAFile != "" {
		var err error
		if o.CA, err = readCA(s.CAFile); err != nil {
			return nil, a.unusableCA(s, err)
		}
	}
	transport, err := fetch.New(s.Origin, o)
	if err != nil {
		return nil, err
	}
	if a.command == explorerCommand {
		return client.New(s.Origin, transport, client.Limits{}), nil
	}
	return client.New(s.Origin, hinting{transport, s}, client.Limits{}), nil
}

// maxCA bounds a CA file, in bytes.
const maxCA = 1 << 20

func readCA(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxCA+1))
	if err != nil {
		return nil, fileError(path, err)
	}
	switch {
	case len(text) == 0:
		return nil, &fault.Usage{Detail: path + " is empty", Hint: hintPEM}
	case len(text) > maxCA:
		return nil, &fault.Usage{Detail: path + " is larger than 1 MiB", Hint: hintPEM}
	case !x509.NewCertPool().AppendCertsFromPEM(text):
		return nil, &fault.Usage{Detail: path + " holds no certificate in PEM form", Hint: hintPEM}
	}
	return text, nil
}

const hintPEM = "name a file of certificates in PEM form"

// unusableCA says of which service a CA file cannot be used, and what to do. It is no
// wrong usage: the file may have been right when the service was added.
func (a *app) unusableCA(s desk.Service, err error) error {
	detail := err.Error()
	if u := (*fault.Usage)(nil); errors.As(err, &u) {
		detail = u.Detail
	}
	told := &fault.Unavailable{Code: fault.UnavailableCode, What: string(s.Origin), Detail: "its CA file cannot be used: " + detail,
		Hint: "put the file back, or change what is set for the service"}
	if s.Name != "" {
		told.What = s.Name
	}
	if s.Name != "" && a.command != explorerCommand {
		told.Hint = "put the file back, or name another: akx service set " + report.Paste(s.Name) + " --ca-file FILE ('' for none)"
	}
	return told
}

// agentVersion is a version as a header takes it: its first word.
func agentVersion(version string) string {
	word, _, _ := strings.Cut(version, " ")
	return strings.TrimSuffix(word, ",")
}

// online refuses a step that needs the network where that is forbidden. The services
// of the sample need none.
func (a *app) online(what string) error {
	if !a.flags.offline || a.flags.sample {
		return nil
	}
	return &fault.Unavailable{Code: fault.Offline, Detail: "--offline forbids the network, and " + what + " needs it",
		Hint: "leave --offline out; what is held is read without a network"}
}

// sampleNetwork leads to the services of the sample: the same handler and client as
// over HTTPS, within this process. A service is made when it is asked first.
func sampleNetwork(s *sample.Sample, clock func() time.Time) explore.Network {
	var mu sync.Mutex
	made := make(map[identity.Origin]explore.Remote)
	return explore.Network{Book: s.Library, Store: s.Library, Reach: func(v desk.Service) (explore.Remote, error) {
		mu.Lock()
		defer mu.Unlock()
		if made[v.Origin] == nil {
			store, err := s.Serve(v.Origin)
			if err != nil {
				return nil, err
			}
			core := service.New(store, service.Options{Origin: v.Origin, Clock: clock, Ranked: true, Peers: peersIn(v.Origin)})
			handler := service.NewHandler(core, service.HandlerOptions{})
			made[v.Origin] = client.New(v.Origin, &inProcess{origin: v.Origin, handler: handler}, client.Limits{})
		}
		return made[v.Origin], nil
	}}
}

// peersIn gives the hints of a service of the sample: the other one, and one that
// the user does not have.
func peersIn(origin identity.Origin) []identity.Origin {
	other := sample.Hub
	if origin == sample.Hub {
		other = sample.Lab
	}
	return []identity.Origin{other, "https://archive.sample.invalid"}
}
