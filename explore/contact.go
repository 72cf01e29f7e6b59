package explore

import (
	"context"
	"errors"
	"sync"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/wire"
)

// now is the session's clock in ms.
func (s *Session) now() int64 { return s.clock().UnixMilli() }

// contact gives a way to a service that may be asked, and notes that it is; done is
// called once the answer is there, more often does nothing. Errors: *fault.Usage for
// a disabled service, *fault.Unavailable with the code offline, those of Reach.
func (s *Session) contact(service desk.Service) (remote Remote, done func(), err error) {
	switch {
	case s.net.Offline:
		return nil, nil, &fault.Unavailable{Code: fault.Offline, What: service.Name, Detail: "the network is forbidden"}
	case !service.Enabled:
		return nil, nil, &fault.Usage{Detail: service.Name + " is disabled: nothing is asked of it", Hint: "akx service enable " + service.Name + " enables it"}
	case s.net.Reach == nil:
		return nil, nil, &fault.Unavailable{Code: fault.UnavailableCode, What: service.Name, Detail: "no service can be reached from here"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.partner(service.Origin)
	if p.remote == nil || p.service != service {
		remote, err := s.net.Reach(service)
		if err != nil {
			p.remote = nil
			return nil, nil, err
		}
		p.remote, p.service, p.discovery = hear(remote, s.noting(service)), service, nil
	}
	p.asking++
	var once sync.Once
	return p.remote, func() {
		once.Do(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			p.asking--
		})
	}, nil
}

// discover reads a service's discovery document and remembers it.
func (s *Session) discover(ctx context.Context, service desk.Service, remote Remote) error {
	d, err := remote.Discover(ctx)
	if err != nil {
		return err
	}
	now := s.now()
	s.mu.Lock()
	p := s.partner(service.Origin)
	p.discovery, p.described = &d, now
	s.mu.Unlock()
	if s.net.Describer != nil {
		// A hint that cannot be kept is read again: no question fails for it.
		_ = s.net.Describer.Describe(ctx, service.Origin, d.Append(nil), now)
	}
	return nil
}

// introduce reads the discovery document of a service that has not told it yet.
func (s *Session) introduce(ctx context.Context, service desk.Service, remote Remote) error {
	s.mu.Lock()
	known := s.partner(service.Origin).discovery != nil
	s.mu.Unlock()
	if known {
		return nil
	}
	return s.discover(ctx, service, remote)
}

// exclude keeps syncs of a service away until release: *fault.Unavailable, code
// locked, while one is under way.
func (s *Session) exclude(service desk.Service) (release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.partner(service.Origin)
	if p.syncing {
		return nil, &fault.Unavailable{Code: fault.Locked, What: service.Name, Detail: "a sync of it is under way", Retry: true}
	}
	p.syncing, p.began = true, s.now()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		p.syncing = false
	}, nil
}

// codeOf gives the code of an error.
func codeOf(err error) fault.Code {
	var coded fault.Coded
	switch {
	case errors.As(err, &coded):
		return coded.FaultCode()
	case errors.Is(err, context.Canceled):
		return fault.Cancelled
	}
	return fault.UnavailableCode
}

// backwards is the fault of an answer whose checkpoint lies before what the service
// gave already (8.3); ok is false where it does not.
func (s *Session) backwards(stamp wire.Stamp, floor uint64) (f desk.ServiceFault, ok bool) {
	if stamp.Checkpoint >= floor {
		return desk.ServiceFault{}, false
	}
	return desk.ServiceFault{Kind: desk.CheckpointBack, At: s.now(), Before: floor, Now: stamp.Checkpoint}, true
}
