package explore

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// Bounds of what a session keeps of lists that nobody waits for.
const (
	maxLists = 16      // lists that are remembered
	maxRows  = 4 << 20 // their rows together, 8 bytes each
	maxScans = 2       // scans that run
)

// A complete list is refreshed at once when its scan was quick; else it is served
// as it was for ten times as long as its scan took, so that a busy import does not
// make every glance a scan.
const (
	quickScan   = 50 * time.Millisecond
	staleFactor = 10
)

// listKey is a query as a map key.
type listKey struct {
	filter    capsule.Filter
	terms     string
	sort      view.Sort
	lifecycle view.Lifecycle
	service   identity.Origin // whose set; empty is everything
}

func keyOf(q view.Query, service identity.Origin) listKey {
	// Terms hold no spaces (9.5.1), and repeats and order change nothing.
	terms := slices.Clone(q.Terms)
	slices.Sort(terms)
	return listKey{q.Filter, strings.Join(slices.Compact(terms), " "), q.Sort, q.Lifecycle, service}
}

// version is the state of what a list shows: the library's last local number and,
// for the set of a followed service, how far that was followed.
type version struct {
	number   uint64
	followed view.Followed
}

// covers reports whether rows of version v show all that there is at w.
func (v version) covers(w version) bool { return v.number >= w.number && v.followed == w.followed }

// known is the rows of a list as far as they are known. numbers is not written to.
type known struct {
	numbers  []uint64
	scope    view.Scope
	complete bool
	version  version
}

// list is one query's rows: those of the last complete scan, and a scan that runs.
type list struct {
	query   view.Query
	set     Set
	done    known // complete is false before the first scan has ended
	took    time.Duration
	ended   time.Time
	run     *scan // nil while none runs
	waiters int
	asked   uint64
}

// scan is one walk over the library. Its fields are guarded by the session's lock.
type scan struct {
	rows    known
	begun   bool // rows.scope is known
	err     error
	changed chan struct{} // closed and made anew at each change
	cancel  context.CancelFunc
}

func (l *list) stop() {
	if l.run != nil {
		l.run.cancel()
		l.run = nil
	}
}

// want is what an ask waits for: so many rows, or with whole a scan that is
// complete and no older than the library is now; or until a time has come.
type want struct {
	rows  int
	whole bool
	until <-chan time.Time // nil waits for as long as it takes
}

// ask gives the rows of a query as soon as enough of them are known.
func (t Set) ask(ctx context.Context, q view.Query, w want) (known, error) {
	s := t.s
	now, err := read(ctx, s.lib, func(snap view.Snapshot) (version, error) {
		_, followed, err := t.open(ctx, snap)
		return version{snap.Scope().Checkpoint, followed}, err
	})
	if err != nil {
		return known{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.list(q, t)
	l.waiters++
	defer func() { l.waiters-- }()
	for late := false; ; {
		if l.done.complete && (l.done.version.covers(now) || !w.whole && (late || s.resting(l))) {
			return l.done, nil
		}
		run := l.run
		if run == nil {
			run = s.start(l)
		}
		if run.begun && !w.whole && !l.done.complete && (late || len(run.rows.numbers) >= w.rows) {
			return run.rows, nil
		}
		if late, err = s.wait(ctx, run, w, late); err != nil {
			return known{}, err
		}
	}
}

// wait lets go of the lock until run has changed or it is late. Errors are those
// of ctx and of the run.
func (s *Session) wait(ctx context.Context, run *scan, w want, late bool) (bool, error) {
	changed, until := run.changed, w.until
	if late {
		until = nil
	}
	s.mu.Unlock()
	select {
	case <-changed:
	case <-until:
		late = true
	case <-ctx.Done():
	}
	s.mu.Lock()
	return late, cmp.Or(ctx.Err(), run.err)
}

// resting reports whether a list is served as it was for a while.
func (s *Session) resting(l *list) bool {
	return l.took > quickScan && s.clock().Sub(l.ended) < staleFactor*l.took
}

// list finds or makes the list of a query, and forgets what was asked long ago.
func (s *Session) list(q view.Query, t Set) *list {
	key := keyOf(q, t.service)
	l := s.lists[key]
	if l == nil {
		q.Terms = slices.Clone(q.Terms)
		l = &list{query: q, set: t}
		s.lists[key] = l
	}
	s.asked++
	l.asked = s.asked
	s.trim()
	return l
}

// byAge lists what nobody waits for, asked longest ago first; the list that was
// asked last is never among them.
func (s *Session) byAge(keep func(*list) bool) []listKey {
	var keys []listKey
	for key, l := range s.lists {
		if l.waiters == 0 && l.asked != s.asked && keep(l) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b listKey) int { return cmp.Compare(s.lists[a].asked, s.lists[b].asked) })
	return keys
}

// trim keeps the remembered lists within their bounds.
func (s *Session) trim() {
	rows := 0
	for _, l := range s.lists {
		rows += len(l.done.numbers)
	}
	for _, key := range s.byAge(func(*list) bool { return true }) {
		if len(s.lists) <= maxLists && rows <= maxRows {
			return
		}
		rows -= len(s.lists[key].done.numbers)
		s.lists[key].stop()
		delete(s.lists, key)
	}
}

// start begins a scan of l. Scans that nobody waits for make room for it.
func (s *Session) start(l *list) *scan {
	running := s.byAge(func(l *list) bool { return l.run != nil })
	for _, key := range running[:max(0, len(running)-(maxScans-1))] {
		s.lists[key].stop()
	}
	ctx, cancel := context.WithCancel(context.Background())
	run := &scan{changed: make(chan struct{}), cancel: cancel}
	l.run = run
	go s.walk(ctx, l, run, l.done)
	return run
}

// walk runs one scan. before is what an earlier scan found.
func (s *Session) walk(ctx context.Context, l *list, run *scan, before known) {
	defer run.cancel()
	started := s.clock()
	err := s.lib.Read(ctx, func(snap view.Snapshot) error {
		set, followed, err := l.set.open(ctx, snap)
		if err != nil {
			return err
		}
		if followed.Origin != "" {
			before = known{} // what a service gave may have been here before
		}
		s.update(run, func() {
			run.rows.scope, run.rows.version, run.begun = set.Scope(), version{snap.Scope().Checkpoint, followed}, true
		})
		return set.Scan(ctx, l.query, func(numbers []uint64) bool {
			fresh, all := newer(l.query, numbers, before)
			s.update(run, func() {
				run.rows.numbers = append(run.rows.numbers, fresh...)
				if all {
					run.rows.numbers = append(run.rows.numbers, before.numbers...)
				}
			})
			return !all
		})
	})
	if err == nil {
		err = ctx.Err()
	}
	s.update(run, func() {
		run.err = err
		run.rows.complete = err == nil
		if l.run != run {
			return
		}
		l.run = nil
		if err == nil {
			l.done, l.ended = run.rows, s.clock()
			l.took = l.ended.Sub(started)
		}
	})
}

// newer cuts numbers where an earlier scan goes on: rows by arrival that depend on
// the event alone never change, so only what is new has to be walked. all is true
// when the rest of the list is before.numbers.
func newer(q view.Query, numbers []uint64, before known) (fresh []uint64, all bool) {
	if !before.complete || q.Sort != view.Newest || q.Lifecycle != view.Unchecked {
		return numbers, false
	}
	for i, n := range numbers {
		if n <= before.version.number {
			return numbers[:i], true
		}
	}
	return numbers, false
}

// update changes a scan under the lock and wakes who waits for it.
func (s *Session) update(run *scan, change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(run.changed)
	run.changed = make(chan struct{})
}
