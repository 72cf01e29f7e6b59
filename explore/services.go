package explore

import (
	"context"
	"slices"
	"strings"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// ServiceState is one service as the user sees it.
type ServiceState struct {
	Service  desk.Service
	Follow   desk.Follow
	Busy     bool         // a question to it is under way
	Syncing  bool         // a sync of it is under way, or waits for its turn
	Began    int64        // ms of the start of the sync that runs, or of the last one in this session
	Progress SyncProgress // of that sync
	Contact  Contact
	// Discovery is the document as last read, in this session or before, and DescribedAt
	// when that was, in ms; nil when never. All in it are hints, and no one contacts its
	// peers unless the user adds them (9.2).
	Discovery   *wire.Discovery
	DescribedAt int64
}

// MostBytes is the longest envelope that the service says it takes (9.7); ok is false
// where it was never read, or says nothing.
func (s ServiceState) MostBytes() (n int, ok bool) {
	if s.Discovery == nil {
		return 0, false
	}
	most := s.Discovery.Limit(wire.LimitEnvelope)
	return int(most), most > 0
}

// partner is what a session knows of one service while it runs. It is guarded by the
// session's lock.
type partner struct {
	service   desk.Service // as remote was made for
	remote    Remote
	discovery *wire.Discovery // as read in this session
	described int64           // ms of that
	asking    int
	syncing   bool
	began     int64 // ms
	progress  SyncProgress
	contact   Contact
}

func (s *Session) partner(origin identity.Origin) *partner {
	p := s.partners[origin]
	if p == nil {
		p = new(partner)
		s.partners[origin] = p
	}
	return p
}

// forget drops what this session knows of a service that is not the one which the home
// keeps now: another process removed it and added it again, or follows it anew.
func (p *partner) forget(service desk.Service, follow desk.Follow) {
	switch {
	case p.syncing || p.asking > 0:
	case p.remote != nil && p.service.Added != service.Added:
		*p = partner{}
	case p.progress.Reached > follow.Reached:
		p.progress = SyncProgress{}
	}
}

// ListServices lists the user's services by name, without asking any.
func (s *Session) ListServices(ctx context.Context) ([]ServiceState, error) {
	services, err := s.services(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]ServiceState, len(services))
	for i, service := range services {
		if out[i], err = s.state(ctx, service); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Session) state(ctx context.Context, service desk.Service) (ServiceState, error) {
	follow, err := s.net.Store.Follow(ctx, service.Origin)
	if err != nil {
		return ServiceState{}, err
	}
	kept, at := s.described(ctx, service.Origin)
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.partner(service.Origin)
	p.forget(service, follow)
	if p.discovery != nil {
		kept, at = p.discovery, p.described
	}
	return ServiceState{
		Service: service, Follow: follow, Busy: p.asking > 0, Syncing: p.syncing, Began: p.began, Progress: p.progress,
		Contact: p.contact, Discovery: kept, DescribedAt: at,
	}, nil
}

// described gives the description of a service that was kept last. It is a hint: one
// that cannot be read is as good as none.
func (s *Session) described(ctx context.Context, origin identity.Origin) (*wire.Discovery, int64) {
	if s.net.Describer == nil {
		return nil, 0
	}
	text, at, err := s.net.Describer.Described(ctx, origin)
	if err != nil || len(text) == 0 {
		return nil, 0
	}
	d, err := wire.ParseDiscovery(text, origin)
	if err != nil {
		return nil, 0
	}
	return &d, at
}

func (s *Session) services(ctx context.Context) ([]desk.Service, error) {
	if s.net.Book == nil || s.net.Store == nil {
		return nil, ctx.Err()
	}
	return s.net.Book.Services(ctx)
}

// Service finds one of the user's services by its name or its origin: *fault.Usage
// where there is none.
func (s *Session) Service(ctx context.Context, name string) (desk.Service, error) {
	const hint = "akx service list names yours; akx service add ORIGIN adds one"
	if name == "" {
		return desk.Service{}, &fault.Usage{Detail: "the name of a service is empty", Hint: hint}
	}
	services, err := s.services(ctx)
	if err != nil {
		return desk.Service{}, err
	}
	i := slices.IndexFunc(services, func(v desk.Service) bool { return v.Name == name || string(v.Origin) == name })
	if i < 0 {
		return desk.Service{}, &fault.Usage{Detail: "no service is called " + name, Hint: hint}
	}
	return services[i], nil
}

// AddService keeps a new service and enables it; nothing is asked of it. The origin
// is read strictly, an empty name is made from the host. It gives the service as kept.
// Errors: *fault.Usage.
func (s *Session) AddService(ctx context.Context, service desk.Service) (desk.Service, error) {
	origin, err := desk.ServiceOrigin(string(service.Origin))
	if err != nil {
		return desk.Service{}, err
	}
	services, err := s.services(ctx)
	if err != nil {
		return desk.Service{}, err
	}
	if s.net.Book == nil {
		return desk.Service{}, &fault.Usage{Detail: "no services can be kept here"}
	}
	for _, known := range services {
		if known.Origin == origin {
			return desk.Service{}, &fault.Usage{Detail: string(origin) + " is known already, as " + known.Name}
		}
	}
	if service.Name == "" {
		service.Name = nameOf(origin)
	}
	service.Enabled, service.Added = true, s.now()
	if err := s.net.Book.PutService(ctx, service); err != nil {
		return desk.Service{}, err
	}
	return service, nil
}

// nameOf makes a name of an origin's host and port, perhaps not a good one.
func nameOf(origin identity.Origin) string {
	name := strings.TrimPrefix(string(origin), "https://")
	name = strings.Trim(strings.Map(func(r rune) rune {
		if r == ':' || r == '[' || r == ']' {
			return '-'
		}
		return r
	}, name), "-")
	return name[:min(len(name), 32)]
}

// RemoveService forgets a service and how far it was followed; the events that it
// gave stay.
func (s *Session) RemoveService(ctx context.Context, name string) (desk.Service, error) {
	return s.forgetting(ctx, name, func(service desk.Service) error {
		if err := s.net.Book.RemoveService(ctx, service.Origin); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.partners, service.Origin)
		return nil
	})
}

// forgetting drops what a service gave and answered, while nothing follows it, and then
// does the rest.
func (s *Session) forgetting(ctx context.Context, name string, rest func(desk.Service) error) (desk.Service, error) {
	service, err := s.Service(ctx, name)
	if err != nil {
		return desk.Service{}, err
	}
	release, err := s.exclude(service)
	if err != nil {
		return desk.Service{}, err
	}
	defer release()
	if err := s.net.Store.Forget(ctx, service.Origin); err != nil {
		return desk.Service{}, err
	}
	if err := rest(service); err != nil {
		return desk.Service{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers.forget(service.Origin)
	return service, nil
}

// ChangeService replaces the settings of a known service by change's.
func (s *Session) ChangeService(ctx context.Context, name string, change func(*desk.Service)) (desk.Service, error) {
	service, err := s.Service(ctx, name)
	if err != nil {
		return desk.Service{}, err
	}
	origin := service.Origin
	change(&service)
	service.Origin = origin
	if err := s.net.Book.PutService(ctx, service); err != nil {
		return desk.Service{}, err
	}
	return service, nil
}

// EnableService allows or forbids every question to a service.
func (s *Session) EnableService(ctx context.Context, name string, on bool) (desk.Service, error) {
	return s.ChangeService(ctx, name, func(v *desk.Service) { v.Enabled = on })
}

// CheckService reads a service's discovery document, and asks nothing else.
func (s *Session) CheckService(ctx context.Context, name string) (ServiceState, error) {
	service, err := s.Service(ctx, name)
	if err != nil {
		return ServiceState{}, err
	}
	remote, done, err := s.contact(service)
	if err != nil {
		return ServiceState{}, err
	}
	defer done()
	if err := s.discover(ctx, service, remote); err != nil {
		return ServiceState{}, err
	}
	done()
	return s.state(ctx, service)
}
