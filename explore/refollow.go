package explore

import (
	"context"

	"akx/view/desk"
)

// RefollowService forgets what a service gave and its faults, so that the next sync
// follows it from the start. Its settings stay, and so do the events that it gave.
func (s *Session) RefollowService(ctx context.Context, name string) (desk.Service, error) {
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partner(service.Origin).progress = SyncProgress{}
	s.answers.forget(service.Origin)
	return service, nil
}
