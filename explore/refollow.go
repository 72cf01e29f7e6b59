package explore

import (
	"context"

	"akx/view/desk"
)

// RefollowService forgets what a service gave and its faults, so that the next sync
// follows it from the start. Its settings stay, and so do the events that it gave.
func (s *Session) RefollowService(ctx context.Context, name string) (desk.Service, error) {
	return s.forgetting(ctx, name, func(service desk.Service) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.partner(service.Origin).progress = SyncProgress{}
		return nil
	})
}
