package desk

import (
	"slices"
	"strconv"
	"strings"

	"akx/view/capsule"
	"akx/view/fault"
)

// Text gives what stands in a field; ok is false where there is no such field now.
func (d *Draft) Text(path string) (text string, ok bool) {
	if s := d.Payload.slot(path); s != nil {
		return *s, true
	}
	return "", false
}

// SetText writes a field. The error is a *fault.Refusal: no such field, or text
// that is not valid UTF-8.
func (d *Draft) SetText(path, text string) error {
	if err := checkText(path, text); err != nil {
		return err
	}
	s := d.Payload.slot(path)
	if s == nil {
		return noField(path)
	}
	if (path == verdictPath || path == "/target") && *s != text {
		d.Used = false
	}
	*s = text
	return nil
}

// Size gives how many items the list at path has; ok is false where there is none.
func (d *Draft) Size(path string) (n int, ok bool) {
	l := d.Payload.list(path)
	if l == nil {
		return 0, false
	}
	return l.size(), true
}

// Insert puts an empty item before item at of the list at path.
func (d *Draft) Insert(path string, at int) error {
	return d.change(path, func(l list) bool { return l.insert(at) })
}

// Remove takes item at out of the list at path.
func (d *Draft) Remove(path string, at int) error {
	return d.change(path, func(l list) bool { return l.remove(at) })
}

// Move puts item from of the list at path where item to is.
func (d *Draft) Move(path string, from, to int) error {
	return d.change(path, func(l list) bool { return l.move(from, to) })
}

// TakeList replaces the list at path by that of from, a draft of the same type.
func (d *Draft) TakeList(path string, from *Draft) error {
	return d.change(path, func(l list) bool { return l.take(from.Payload.list(path)) })
}

func (d *Draft) change(path string, do func(list) bool) error {
	l := d.Payload.list(path)
	if l == nil || !do(l) {
		return noField(path)
	}
	return nil
}

// Confirm says that a copied step was done.
func (d *Draft) Confirm(step int) error {
	steps := d.Payload.Reproduction.Steps
	if step < 0 || step >= len(steps) {
		return noField(stepsPath)
	}
	steps[step].Unconfirmed = false
	return nil
}

// Unused reports whether d says that something was applied and nobody said yet that it
// was actually used.
func (d *Draft) Unused() bool {
	return d.Type == capsule.Assess && d.Payload.Verdict == capsule.VerdictApplied.String() && !d.Used
}

// ConfirmUse says that what d is about was actually used, by whoever signs it.
func (d *Draft) ConfirmUse() { d.Used = true }

func noField(path string) error {
	return fault.Refuse(fault.StepShape, path, "there is no such field")
}

// Paths that rules speak of.
const (
	kindPath        = "/kind"
	verdictPath     = "/verdict"
	titlePath       = "/title"
	stepsPath       = "/reproduction/steps"
	observedPath    = "/reproduction/observed"
	evidencePath    = "/evidence"
	relationsPath   = "/relations"
	profilesPath    = "/profiles"
	extraPath       = "/extra"
	limitationsPath = "/context/limitations"
)

// slot finds the text at path; nil where there is none.
func (p *Payload) slot(path string) *string {
	switch path {
	case "/license":
		return &p.License
	case kindPath:
		return &p.Kind
	case verdictPath:
		return &p.Verdict
	case "/target":
		return &p.Target
	case titlePath, "/summary", "/reason":
		return &p.Title
	case "/statement":
		return &p.Statement
	case "/language":
		return &p.Language
	case "/context/scope":
		return &p.Context.Scope
	case "/basis":
		return &p.Basis
	case "/reproduction/environment":
		return &p.Reproduction.Environment
	case "/reproduction/expected":
		return &p.Reproduction.Expected
	case observedPath:
		return &p.Reproduction.Observed
	case extraPath:
		return &p.Extra
	}
	return p.itemSlot(path)
}

// itemSlot finds text inside a list.
func (p *Payload) itemSlot(path string) *string {
	list, i, rest, ok := splitItem(path)
	if l := p.list(list); !ok || l == nil || i >= l.size() {
		return nil
	}
	switch list {
	case evidencePath:
		return p.Evidence[i].slot(rest)
	case relationsPath:
		return p.Relations[i].slot(rest)
	case profilesPath:
		return p.Profiles[i].slot(rest)
	}
	if rest != "" {
		return nil
	}
	switch list {
	case "/context/conditions":
		return &p.Context.Conditions[i]
	case limitationsPath:
		return &p.Context.Limitations[i]
	case stepsPath:
		return &p.Reproduction.Steps[i].Text
	default:
		return &p.Tags[i]
	}
}

func (e *Evidence) slot(name string) *string {
	switch name {
	case "/url":
		return &e.URL
	case "/description":
		return &e.Description
	case "/digest":
		return &e.Digest
	case "/media_type":
		return &e.MediaType
	case "/role":
		return &e.Role
	}
	return nil
}

func (r *Relation) slot(name string) *string {
	switch name {
	case "/relation":
		return &r.Relation
	case "/target":
		return &r.Target
	}
	return nil
}

func (p *Profile) slot(name string) *string {
	switch name {
	case "/profile/url":
		return &p.URL
	case "/profile/digest":
		return &p.Digest
	case "/data":
		return &p.Data
	}
	return nil
}

// splitItem splits a path at its first number: /evidence/0/url is /evidence, 0, /url.
func splitItem(path string) (list string, i int, rest string, ok bool) {
	for at := 0; at < len(path); {
		next := strings.IndexByte(path[at+1:], '/')
		end := len(path)
		if next >= 0 {
			end = at + 1 + next
		}
		if n, err := strconv.ParseUint(path[at+1:end], 10, 31); err == nil && path[at] == '/' {
			return path[:at], int(n), path[end:], true
		}
		at = end
	}
	return "", 0, "", false
}

func itemPath(list string, i int) string { return list + "/" + strconv.Itoa(i) }

// list is a list of a payload whose items can be moved about.
type list interface {
	size() int
	insert(at int) bool
	remove(at int) bool
	move(from, to int) bool
	take(from list) bool
}

// list finds the list at path; nil where there is none.
func (p *Payload) list(path string) list {
	switch path {
	case "/context/conditions":
		return slice[string]{&p.Context.Conditions}
	case limitationsPath:
		return slice[string]{&p.Context.Limitations}
	case evidencePath:
		return slice[Evidence]{&p.Evidence}
	case stepsPath:
		return slice[Step]{&p.Reproduction.Steps}
	case relationsPath:
		return slice[Relation]{&p.Relations}
	case "/tags":
		return slice[string]{&p.Tags}
	case profilesPath:
		return slice[Profile]{&p.Profiles}
	}
	return nil
}

type slice[T any] struct{ items *[]T }

func (s slice[T]) size() int { return len(*s.items) }

func (s slice[T]) insert(at int) bool {
	if at < 0 || at > len(*s.items) {
		return false
	}
	var empty T
	*s.items = slices.Insert(*s.items, at, empty)
	return true
}

func (s slice[T]) remove(at int) bool {
	if at < 0 || at >= len(*s.items) {
		return false
	}
	*s.items = slices.Delete(*s.items, at, at+1)
	return true
}

func (s slice[T]) move(from, to int) bool {
	n := len(*s.items)
	if from < 0 || from >= n || to < 0 || to >= n {
		return false
	}
	item := (*s.items)[from]
	*s.items = slices.Insert(slices.Delete(*s.items, from, from+1), to, item)
	return true
}

func (s slice[T]) take(from list) bool {
	o, ok := from.(slice[T])
	if ok {
		*s.items = slices.Clone(*o.items)
	}
	return ok
}
