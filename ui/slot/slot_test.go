package slot

import (
	"context"
	"errors"
	"testing"
)

func TestLateAnswerIsDroppedAndItsWorkCancelled(t *testing.T) {
	var w Work
	s := New[int](&w)
	ended := make(chan error, 1)
	first := s.Ask(func(ctx context.Context) (int, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return 1, nil
	})
	second := s.Ask(func(context.Context) (int, error) { return 2, nil })
	newer, older := second(), first()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the first ask ended with %v", err)
	}
	if v, _, ok := s.Take(newer); !ok || v != 2 {
		t.Errorf("the newer answer gives %d, %v", v, ok)
	}
	if _, _, ok := s.Take(older); ok {
		t.Error("a late answer was taken")
	}
	if w.Open() != 0 {
		t.Errorf("%d asks are open", w.Open())
	}
}

func TestCancelDropsTheAnswer(t *testing.T) {
	var w Work
	s := New[int](&w)
	ask := s.Ask(func(context.Context) (int, error) { return 1, nil })
	s.Cancel()
	if _, _, ok := s.Take(ask()); ok || s.Waiting() {
		t.Error("a cancelled ask was answered")
	}
}

func TestSlotsDoNotTakeEachOthersAnswers(t *testing.T) {
	var w Work
	a, b := New[int](&w), New[int](&w)
	msg := a.Ask(func(context.Context) (int, error) { return 1, nil })()
	b.Ask(func(context.Context) (int, error) { return 2, nil })
	if _, _, ok := b.Take(msg); ok {
		t.Error("a slot took another's answer")
	}
	if w.Open() != 1 {
		t.Errorf("%d asks are open, want the one that was not run", w.Open())
	}
}
