package view

import (
	"context"

	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/wire"
)

// Facts are the lifecycle facts of one event within one scope (7.2). Sets of IDs
// are in ascending ASCII order.
type Facts struct {
	ID                identity.ID
	Scope             Scope
	Lifecycle         Lifecycle
	Retractions       []identity.ID
	Successors        []identity.ID // retracted ones included; no winner
	Assessments       []identity.ID
	ActiveAssessments []identity.ID
	// Verdicts counts assessments by verdict, active and retracted apart; Self
	// counts those signed by the subject's own actor among the active ones.
	Verdicts []VerdictCount
	// Relations counts incoming relations by relation, retracted sources apart.
	Relations []RelationCount
}

// VerdictCount counts assessments of one verdict.
type VerdictCount struct {
	Verdict                 capsule.Verdict
	Active, Retracted, Self int
}

// RelationCount counts incoming publications of one relation.
type RelationCount struct {
	Relation                capsule.Relation
	Active, Retracted, Self int
}

// Derive makes the lifecycle facts of subject from everything in the scope that
// points at it. It is the only place where they are made. Incoming retractions
// and supersedes that break the target rules never reach it: stores admit first.
func Derive(subject Subject, incoming []Incoming, scope Scope) Facts { panic("skeleton") }

// OutLink is one signed outgoing link and what the set knows of its target.
type OutLink struct {
	Link  capsule.Link // zero Relation: the target of an assessment or a retraction
	Held  bool
	Entry Entry // valid when Held
}

// Page is everything a page of one event shows.
type Page struct {
	Event capsule.Event
	Entry Entry
	Facts Facts
	Out   []OutLink
	// Withdrawn lists outgoing targets that are retracted in the scope.
	Withdrawn []identity.ID
	// Retractions are the events that withdraw this one.
	Retractions []*capsule.Retraction
	Claims      []wire.Claim
}

// LoadPage reads a page of one event. Claims are left to the caller.
func LoadPage(ctx context.Context, s Snapshot, id identity.ID) (Page, error) { panic("skeleton") }

// LinkGroup is one group of reverse links.
type LinkGroup struct {
	Type      capsule.Type
	Relation  capsule.Relation // of publications
	Verdict   capsule.Verdict  // of assessments
	Links     []Incoming       // by local number
	Active    int
	Retracted int
}

// Links are the reverse links of one event: every relation, verdict and the
// retractions, groups without a link included with zero.
type Links struct {
	Subject Entry
	Facts   Facts
	Groups  []LinkGroup
}

// LoadLinks reads the reverse links of one event from index facts alone.
func LoadLinks(ctx context.Context, s Snapshot, id identity.ID) (Links, error) { panic("skeleton") }

// Version is one node of the tree of supersedes around a capsule.
type Version struct {
	Entry       Entry
	Supersedes  []int // indexes of older nodes in Versions.Nodes
	Assessments int
	Retracted   int
	Lane        int // column in the drawing; a lane is not reused by an unrelated branch while it is open
}

// Versions is the connected set of supersedes around one capsule, newest on top.
type Versions struct {
	Here    int // index of the capsule that was asked for
	Nodes   []Version
	Omitted int // nodes beyond the bound
	Scope   Scope
}

// MaxVersions bounds the nodes of one tree.
const MaxVersions = 1000

// LoadVersions walks supersedes both ways from id.
func LoadVersions(ctx context.Context, s Snapshot, id identity.ID) (Versions, error) {
	panic("skeleton")
}

// Report is one assessment of a capsule, read in full.
type Report struct {
	Entry       Entry
	Event       *capsule.Assessment
	Self        bool // signed by the capsule's own actor
	Retractions []*capsule.Retraction
}

// Review is the assessments of exactly one capsule version.
type Review struct {
	Subject Entry
	Facts   Facts
	Reports []Report // by verdict, then created_at, then ID
	More    int      // reports beyond the bound
}

// LoadReview reads up to limit assessments of id in full.
func LoadReview(ctx context.Context, s Snapshot, id identity.ID, limit int) (Review, error) {
	panic("skeleton")
}
