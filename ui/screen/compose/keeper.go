package compose

import (
	"context"
	"sync"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/kit"
	"akx/view/desk"
	"akx/view/fault"
)

// Keeper stores drafts as they are typed, in the order of typing, whatever screen is
// shown. While one state is being stored, only the newest one waits.
type Keeper struct {
	writer  *explore.Writer
	writing sync.Mutex // one store at a time

	mu      sync.Mutex
	waiting map[uint64]typed
	turn    uint64
	left    map[uint64]bool // to be let go once it is stored
}

// typed is the newest state of a draft; it waits until it is durable.
type typed struct {
	draft desk.Draft
	turn  uint64 // tells states apart
}

// NewKeeper makes a keeper over a writer.
func NewKeeper(w *explore.Writer) *Keeper {
	return &Keeper{writer: w, waiting: make(map[uint64]typed), left: make(map[uint64]bool)}
}

// Keep makes the command that stores a draft.
func (k *Keeper) Keep(d desk.Draft) tea.Cmd {
	k.mu.Lock()
	k.turn++
	k.waiting[d.ID] = typed{d.Clone(), k.turn}
	delete(k.left, d.ID)
	k.mu.Unlock()
	return func() tea.Msg { return k.store(context.Background(), d.ID) }
}

// Leave makes the command that stores what is left to be stored of a draft, and lets
// others write it.
func (k *Keeper) Leave(id uint64) tea.Cmd {
	k.mu.Lock()
	k.left[id] = true
	k.mu.Unlock()
	return func() tea.Msg {
		msg := k.store(context.Background(), id)
		k.writing.Lock()
		defer k.writing.Unlock()
		k.mu.Lock()
		gone := k.left[id]
		delete(k.left, id)
		k.mu.Unlock()
		if gone {
			k.writer.CloseDraft(id)
		}
		return msg
	}
}

// Opened says that a draft that was left is open again.
func (k *Keeper) Opened(id uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.left, id)
}

// Unsaved gives the state of a draft that is not durable yet, also while it is being
// stored.
func (k *Keeper) Unsaved(id uint64) (desk.Draft, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	newest, ok := k.waiting[id]
	return newest.draft, ok
}

// store stores the newest state of a draft; nil where that is done already. What
// could not be stored waits for the next try.
func (k *Keeper) store(ctx context.Context, id uint64) tea.Msg {
	k.writing.Lock()
	defer k.writing.Unlock()
	k.mu.Lock()
	newest, ok := k.waiting[id]
	k.mu.Unlock()
	if !ok {
		return nil
	}
	saved, err := k.writer.SaveDraft(ctx, newest.draft)
	k.mu.Lock()
	if err == nil && k.waiting[id].turn == newest.turn {
		delete(k.waiting, id)
	}
	k.mu.Unlock()
	return kit.Saved{Draft: id, At: saved.Edited, Err: err}
}

// Flush stores everything that waits, at the end of the program. It gives the first
// error.
func (k *Keeper) Flush(ctx context.Context) error {
	k.mu.Lock()
	var ids []uint64
	for id := range k.waiting {
		ids = append(ids, id)
	}
	k.mu.Unlock()
	var first error
	for _, id := range ids {
		if saved, ok := k.store(ctx, id).(kit.Saved); ok && saved.Err != nil && first == nil {
			first = saved.Err
		}
	}
	return first
}

func noKey(name string) error {
	return &fault.Usage{Code: fault.NotHeldCode, Detail: "there is no key called " + name, Hint: "akx key list names them"}
}
