package cache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// Finding is one thing that Check found wrong in a home.
type Finding struct {
	Code   fault.Code    // as in errors; empty for advice
	What   string        // a path, or a part of the database
	Detail string        // what is wrong; may quote the names of files
	Hint   string        // the way out
	Events []identity.ID // that it concerns, at most maxFound
	Count  int           // of all events or entries that it concerns
}

// maxFound bounds the events that one finding lists.
const maxFound = 20

// checkPatience is how long Check waits for another process.
const checkPatience = 5 * time.Second

// Check looks at a home without changing it: folder, files, and then every stored
// event, which is proven again and compared with all that the indexes say of it.
// An empty list means that nothing is wrong; a home that does not exist is not.
// The error is ctx's or *fault.Unavailable, such as locked.
func Check(ctx context.Context, home string) ([]Finding, error) {
	var found []Finding
	info, err := os.Stat(home)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fail(home, err)
	case !info.IsDir():
		return []Finding{{Code: fault.DamagedCode, What: home, Detail: "it is not a folder", Hint: hintAccess, Count: 1}}, nil
	case info.Mode().Perm()&0o077 != 0:
		found = append(found, Finding{What: home, Detail: "others may read it: mode " + info.Mode().Perm().String(), Hint: "chmod 700 " + home})
	}
	for _, name := range []string{cacheName + ".new", cacheName + ".compact", ownName + ".new", ownName + ".compact"} {
		if _, err := os.Lstat(filepath.Join(home, name)); err == nil {
			found = append(found, Finding{What: filepath.Join(home, name), Detail: "an unfinished copy was left behind", Hint: "it is not needed: the next write removes it, or remove it by hand"})
		}
	}
	for _, f := range []*file{
		newFile(filepath.Join(home, cacheName), cacheSchema(0), Options{Patience: checkPatience, ReadOnly: true}.filled()),
		newFile(filepath.Join(home, ownName), ownSchema(), Options{Patience: checkPatience, ReadOnly: true}.filled()),
	} {
		more, err := f.check(ctx)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// check looks at one database.
func (f *file) check(ctx context.Context) ([]Finding, error) {
	there, err := f.exists()
	if err != nil || !there {
		return nil, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	t, err := f.lease.acquire(ctx, false, f.patience)
	if err != nil {
		return nil, err
	}
	state, err := inspect(f.path)
	if err != nil {
		t.release()
		return asFinding(err)
	}
	var found []Finding
	if state.metas < 2 {
		found = append(found, Finding{
			Code: fault.DamagedCode, What: f.path, Count: 1,
			Detail: "one of its two meta pages is damaged; the last changes may be missing",
			Hint:   hintAnew,
		})
	}
	h, old, err := f.openHeld(t, false)
	if err != nil {
		t.release()
		more, err := asFinding(err)
		return append(found, more...), err
	}
	defer h.close()
	if old {
		return append(found, Finding{What: f.path, Detail: "its format is older", Hint: "the next write brings it up to date"}), nil
	}
	c := &checker{path: f.path}
	err = f.guarded(h, func() error {
		return h.db.View(func(tx *bolt.Tx) error { return c.run(ctx, tx, f.schema) })
	})
	if err != nil {
		more, err := asFinding(err)
		return append(append(found, c.found()...), more...), err
	}
	return append(found, c.found()...), nil
}

// asFinding makes a finding of an error that says what is wrong with a file, and
// passes on those that say that it could not be looked at.
func asFinding(err error) ([]Finding, error) {
	var d *fault.Damaged
	if errors.As(err, &d) {
		return []Finding{{Code: d.FaultCode(), What: d.What, Detail: d.Detail, Hint: checked(d.What, d.Hint), Count: 1}}, nil
	}
	return nil, err
}

// checker compares all stored events with all indexes.
type checker struct {
	path   string
	s      *snapshot
	states map[uint64]state // as the events make them
	links  int
	owners blockReader // of seq
	list   []Finding
}

// The findings of a checker, by place in its list.
var checks = []Finding{
	{What: "events", Detail: "the stored text no longer proves the event", Hint: hintEntry},
	{What: "rows", Detail: "the facts that lists show are damaged", Hint: hintEntry},
	{What: "IDs", Detail: "the event is not found by its ID", Hint: hintDamaged},
	{What: "links", Detail: "a reverse link is missing or wrong", Hint: hintDamaged},
	{What: "states", Detail: "retractions or successors are not what the events say", Hint: hintDamaged},
	{What: "search", Detail: "the search text is not the event's", Hint: hintEntry},
	{What: "waiting events", Detail: "an event that waits is damaged", Hint: "drop it with 'akx pending', and import it again"},
	{What: "claims", Detail: "what a source said of an event is damaged, and not shown", Hint: hintEntry},
	{What: "services", Detail: "what services gave is damaged", Hint: hintService},
	{What: "counts", Detail: "the counts are not what is stored", Hint: hintDamaged},
}

const (
	badText = iota
	badRow
	badID
	badLink
	badState
	badSearch
	badPending
	badClaim
	badService
	badCounts
)

func (c *checker) found() []Finding {
	var found []Finding
	for _, f := range c.list {
		if f.Count > 0 {
			f.Code, f.What, f.Hint = fault.DamagedCode, c.path+": "+f.What, checked(c.path, f.Hint)
			found = append(found, f)
		}
	}
	return found
}

func (c *checker) bad(check int, ids ...identity.ID) {
	f := &c.list[check]
	f.Count++
	if len(f.Events) < maxFound {
		f.Events = append(f.Events, ids...)
	}
}

func (c *checker) run(ctx context.Context, tx *bolt.Tx, s schema) error {
	if !s.numbered() {
		return c.own(ctx, tx)
	}
	c.list = append([]Finding(nil), checks...)
	c.states = make(map[uint64]state)
	c.s = &snapshot{path: c.path, scope: view.Scope{Origin: view.ThisCache, Complete: true}}
	if err := c.s.begin(tx); err != nil {
		return err
	}
	var seen counts
	rows := c.s.bucket("row").Cursor()
	for key, value := rows.First(); key != nil; key, value = rows.Next() {
		p, ok := parsePack(key, value, false)
		if !ok {
			c.bad(badRow)
			continue
		}
		for n := p.first; n <= p.last; n++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			c.event(n, p.record(n), &seen)
		}
	}
	c.checkStates()
	c.checkHints()
	c.checkPending(&seen)
	if err := errors.Join(c.checkClaims(ctx), c.checkServices(ctx)); err != nil {
		return err
	}
	c.checkCounts(&seen)
	return ctx.Err()
}

// event proves one event again and compares its index entries.
func (c *checker) event(n uint64, r row, seen *counts) {
	var id identity.ID
	if r.whole() {
		id = r.id()
	}
	if !r.intact() {
		c.bad(badRow, id)
	}
	event, err := reopen(c.s.texts.record(n), id)
	if err != nil {
		c.bad(badText, id)
		seen.skip(r, n)
		return
	}
	seen.add(event, n)
	if r.intact() && !bytes.Equal(r, appendRow(nil, event, r.arrived())) {
		c.bad(badRow, id)
	}
	if c.s.number(id) != n {
		c.bad(badID, id)
	}
	if !bytes.Equal(c.s.finds.record(n), capsule.AppendSearchText(nil, event)) {
		c.bad(badSearch, id)
	}
	in := c.s.bucket("in")
	facts := view.IncomingOf(event, n)
	for i, link := range capsule.Links(event) {
		target := c.s.number(link.Target)
		if in.Get(linkKey(target, link.Relation, n)) == nil {
			c.bad(badLink, id)
		}
		c.links++
		if event.Type() == capsule.Retract || link.Relation == capsule.Supersedes {
			c.derive(target, link.Target, facts[i:i+1])
		}
	}
}

// skip counts an event that cannot be read by what its row says.
func (c *counts) skip(r row, n uint64) {
	c.last = n
	if !r.whole() {
		return
	}
	c.textBytes += uint64(r.size())
	switch r.typ() {
	case capsule.Publish:
		c.publications++
	case capsule.Assess:
		c.assessments++
	case capsule.Retract:
		c.retractions++
	}
}

func (c *checker) derive(target uint64, id identity.ID, facts []view.Incoming) {
	t := row(c.s.rows.record(target))
	if !t.whole() {
		return
	}
	said := view.Derive(view.Subject{ID: id, Actor: t.actor(), Nonce: t.nonce()}, facts, c.s.scope)
	st := c.states[target]
	st.retracted = st.retracted || said.Lifecycle == view.Retracted
	st.successors += uint32(len(said.Successors))
	c.states[target] = st
}

func (c *checker) checkStates() {
	stored := 0
	states := c.s.bucket("state").Cursor()
	for key, value := states.First(); key != nil; key, value = states.Next() {
		places, ok := parseBlock(value, stateBytes)
		if !ok || len(key) != 8 {
			c.bad(badState)
			continue
		}
		for ; len(places) > 0; places = places[2+stateBytes:] {
			if st := parseState(places[2:]); st.retracted || st.successors > 0 {
				stored++
			}
		}
	}
	for n, want := range c.states {
		got, ok := c.s.states.get(n)
		got.withheld = false
		if ok && got != want {
			c.bad(badState, c.idOf(n)...)
		}
	}
	if stored != len(c.states) {
		c.bad(badState)
	}
	if keys := c.s.bucket("in").Stats().KeyN; keys != c.links && c.list[badText].Count == 0 {
		c.bad(badLink)
	}
}

func (c *checker) idOf(n uint64) []identity.ID {
	if r := row(c.s.rows.record(n)); r.whole() {
		return []identity.ID{r.id()}
	}
	return nil
}

func (c *checker) checkHints() {
	packs := c.s.bucket("find").Cursor()
	hint := make([]byte, hintBytes)
	for key, value := packs.First(); key != nil; key, value = packs.Next() {
		p, ok := parsePack(key, value, true)
		if !ok {
			c.bad(badSearch)
			continue
		}
		clear(hint)
		for n := p.first; n <= p.last; n++ {
			addHint(hint, p.record(n))
		}
		if !bytes.Equal(hint, p.hint) {
			c.bad(badSearch, c.idOf(p.first)...)
		}
	}
}

func (c *checker) checkPending(seen *counts) {
	miss, wait := c.s.bucket("miss"), c.s.bucket("wait")
	waiters := c.s.bucket("pend").Cursor()
	for key, value := waiters.First(); key != nil; key, value = waiters.Next() {
		seen.pending++
		id, err := identity.ParseID(string(key))
		w, ok := parseWaiter(value)
		if err != nil || !ok {
			c.bad(badPending)
			continue
		}
		seen.pendingBytes += uint64(w.bytes)
		missing := missingOf(miss, id)
		for _, m := range missing {
			if parseNumber(wait.Get(pair(m, id))) != w.order {
				missing = nil
				break
			}
		}
		if _, err := reopen(w.text, id); err != nil || len(missing) == 0 {
			c.bad(badPending, id)
		}
	}
}

func (c *checker) checkCounts(seen *counts) {
	want := c.s.counts
	seen.arrivals, seen.floor = want.arrivals, want.floor
	if *seen == want {
		return
	}
	c.bad(badCounts)
	c.list[badCounts].Detail += fmt.Sprintf(": %d events counted, %d found", want.stats().Events, seen.stats().Events)
}
