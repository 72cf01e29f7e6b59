package explore

import (
	"context"
	"errors"
	"iter"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// Contact is how the last question to a service ended in this session, whatever it
// was. The zero Contact is that of a service that was not asked.
type Contact struct {
	At int64 // ms of the last question that ended
	// Unreached is why it brought no answer; empty where the service answered, be it
	// with a refusal.
	Unreached string
	Answered  int64 // ms of the last answer; 0 never
}

// heard is a way to a service that notes whether it answers: each failure of reaching
// it and each answer after that, so that nobody calls a service down that answers.
type heard struct {
	Remote
	// note takes the error of each answer, nil for none, and gives it with the name that
	// the user has for the service.
	note func(error) error
}

// heardSubmitter is heard where events can be sent, too.
type heardSubmitter struct {
	heard
	to Submitter
}

// hear makes remote tell how its questions end.
func hear(remote Remote, note func(error) error) Remote {
	h := heard{remote, note}
	if to, ok := remote.(Submitter); ok {
		return heardSubmitter{h, to}
	}
	return h
}

func (h heard) Discover(ctx context.Context) (wire.Discovery, error) {
	d, err := h.Remote.Discover(ctx)
	return d, h.note(err)
}

func (h heard) Follow(ctx context.Context, after uint64) iter.Seq2[wire.QueryPage, error] {
	return noted(h.Remote.Follow(ctx, after), h.note)
}

func (h heard) Query(ctx context.Context, q wire.Query) iter.Seq2[wire.QueryPage, error] {
	return noted(h.Remote.Query(ctx, q), h.note)
}

func (h heard) Batch(ctx context.Context, ids []identity.ID) iter.Seq2[wire.BatchPage, error] {
	return noted(h.Remote.Batch(ctx, ids), h.note)
}

func (h heard) Event(ctx context.Context, id identity.ID) (wire.Item, error) {
	item, err := h.Remote.Event(ctx, id)
	return item, h.note(err)
}

func (h heard) Search(ctx context.Context, r wire.SearchRequest) (wire.SearchPage, error) {
	page, err := h.Remote.Search(ctx, r)
	return page, h.note(err)
}

func (h heardSubmitter) Submit(ctx context.Context, text, token string) (wire.Record, error) {
	record, err := h.to.Submit(ctx, text, token)
	_ = h.note(err) // who keeps what became of a submission names the service
	return record, err
}

// noted tells of each page.
func noted[T any](pages iter.Seq2[T, error], note func(error) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages {
			if !yield(page, note(err)) {
				return
			}
		}
	}
}

// noting notes how questions to a service end, and names it. What the user stopped
// says nothing.
func (s *Session) noting(service desk.Service) func(error) error {
	origin := service.Origin
	return func(err error) error {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		c := Contact{At: s.now(), Answered: s.partner(origin).contact.Answered}
		if unreached(err) {
			c.Unreached = err.Error()
		} else {
			c.Answered = c.At
		}
		s.partner(origin).contact = c
		return fault.AtService(err, string(origin), service.Name)
	}
}

// unreached reports whether an error means that no answer of a service came.
func unreached(err error) bool {
	var u *fault.Unavailable
	return errors.As(err, &u) && u.Code == fault.UnavailableCode
}
