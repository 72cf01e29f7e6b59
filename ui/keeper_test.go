package ui_test

import (
	"context"
	"testing"

	"akx/explore"
	"akx/ui/screen/compose"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/memory"
)

// watchedDesk tells when a draft is being stored, and may fail to.
type watchedDesk struct {
	explore.Desk
	storing func(desk.Draft) error
}

func (d watchedDesk) PutDraft(ctx context.Context, draft desk.Draft) (desk.Draft, error) {
	if err := d.storing(draft); err != nil {
		return desk.Draft{}, err
	}
	return d.Desk.PutDraft(ctx, draft)
}

// A state counts as unsaved until it is durable, so that the screen never says saved of
// what kill -9 would lose; what could not be stored waits, and gives way to what is newer.
func TestUnsavedUntilDurable(t *testing.T) {
	var keeper *compose.Keeper
	var trouble error
	store := watchedDesk{memory.NewDesk(), func(d desk.Draft) error {
		if keeper == nil {
			return nil
		}
		if newest, ok := keeper.Unsaved(d.ID); !ok || newest.Payload.Title < d.Payload.Title {
			t.Errorf("%q counts as stored while it is being stored", d.Payload.Title)
		}
		return trouble
	}}
	session := explore.New(emptyLibrary(), explore.Options{Clock: clock})
	defer session.Close()
	writer := explore.NewWriter(session, store, explore.WriterOptions{})
	defer writer.Close()
	opened, err := writer.NewDraft(t.Context(), explore.Start{Kind: capsule.Question})
	if err != nil {
		t.Fatal(err)
	}
	keeper = compose.NewKeeper(writer)
	d := opened.Draft
	d.Payload.Title = "a"
	first := keeper.Keep(d)
	d.Payload.Title = "b"
	second := keeper.Keep(d)
	trouble = &fault.Unavailable{Code: fault.Locked, What: "own.db", Detail: "in use"}
	first()
	if newest, ok := keeper.Unsaved(d.ID); !ok || newest.Payload.Title != "b" {
		t.Errorf("after a failure %q waits", newest.Payload.Title)
	}
	trouble = nil
	second()
	if _, ok := keeper.Unsaved(d.ID); ok {
		t.Error("what is stored still waits")
	}
	stored, err := writer.Draft(t.Context(), d.ID)
	if err != nil || stored.Payload.Title != "b" {
		t.Errorf("stored is %q, %v", stored.Payload.Title, err)
	}
}
