package report

import (
	"akx/view/capsule"
	"akx/view/identity"
)

// writingSamples are the reports of drafts, keys, signatures and the outbox, with evil
// text wherever text of others or of the user may stand.
func writingSamples(evil string, entry Entry, scope Scope, failure *Failure) map[string]Report {
	draft := Draft{ID: 7, Type: "knowledge.publish", Kind: evil, Title: evil, Target: evil, Actor: entry.Actor, Blocking: 1}
	targets := []DraftTarget{{ID: "-Ab", Relation: "tests", Held: true, Lifecycle: "RETRACTED", Title: evil, Successors: []string{"-Ac"}, Scope: scope, Stale: true}, {ID: "-Ad"}}
	check := DraftCheck{Problems: []Problem{{"/" + evil, "blocks", evil}, {"", "advises", evil}},
		Findings: []SecretFound{{"mark", "token", "/" + evil, evil}}, More: true, Targets: targets, Bytes: 1, Limit: 2}
	sent := Sent{ID: "-Ab", Type: "knowledge.publish", Actor: entry.Actor, LocalName: evil, Title: evil, Deliveries: []Delivery{
		{Service: evil, Name: evil, State: "refused", Code: evil, Reason: evil, Missing: []string{evil}, Sentence: "No.", Action: "Wait."},
		{Service: evil, State: "accepted", Seq: 3, AcceptedAt: 1}, {Service: evil, State: "unknown", Sentence: "Lost."}}}
	key := Key{Name: "ann", Actor: entry.Actor, Default: true, Exposed: true}
	soon := SoonSigned{ID: "-Ab", CreatedAt: 5, Nonce: 6, Bytes: 7}
	payload := capsule.AssessPayload{License: evil, Summary: evil, Basis: evil, Context: capsule.Context{Scope: evil, Conditions: []string{evil}}}
	return map[string]Report{
		"keys":          &Keys{Keys: []Key{key, {Name: "old", Error: failure}}},
		"no keys":       &Keys{},
		"key made":      &KeyChanged{Done: "made", Key: key},
		"key deleted":   &KeyChanged{Done: "deleted", Key: key},
		"drafts":        &Drafts{Drafts: []Draft{draft, {ID: 8, Type: "knowledge.assess", Verdict: evil}, {ID: 9, Type: "knowledge.retract"}}},
		"empty trash":   &Drafts{Trash: true, Damaged: []string{evil}},
		"draft":         &DraftShown{Draft: draft, Content: identity.StringValue(evil), YAML: "title: " + evil + "\n# second"},
		"begun":         &DraftChanged{Done: "created", Draft: draft, Targets: targets},
		"trashed":       &DraftsChanged{Drafts: []DraftChanged{{Done: "trashed", Draft: draft}}},
		"complaints":    &Complaints{File: evil, Complaints: []Complaint{{3, "/" + evil, evil}}},
		"draft checked": &DraftChecked{Draft: draft, DraftCheck: check},
		"disclosure":    &Disclosure{Draft: draft, Key: "ann", License: evil, Payload: identity.StringValue(evil), Event: soon, ContentMark: "x", Services: []string{evil}, DraftCheck: check, Meaning: signingMeans, payload: payload},
		"draft event":   &DraftEvent{Draft: draft, Key: "ann", SoonSigned: soon, Envelope: 900, Limit: 1000, Canonical: evil},
		"draft reading": &DraftReading{Draft: draft, Payload: identity.StringValue(evil), Targets: targets, payload: payload},
		"signed":        &Signed{Sent: sent, Again: true},
		"outbox":        &Outbox{Entries: []Sent{sent, {ID: "-Ac", Type: "knowledge.retract", Actor: entry.Actor, LocalName: evil, Title: evil}}, Damaged: []string{evil}},
		"submitted":     &Submitted{Entries: []Sent{sent}, Plans: []Plan{{ID: "-Ab", Service: evil, Send: []PlanItem{{ID: "-Ac", Type: "knowledge.publish", Title: evil, LocalName: evil}}, NotHeld: []string{"-Ad"}, More: true}}},
		"nothing sent":  &Submitted{},
		"digests":       &Digests{Files: []FileDigest{{evil, "x", 3}}},
		"evidence":      &DraftChanged{Done: "saved", Draft: draft, Digest: "x"},
		"exported":      &Exported{ID: "-Ab", Envelope: evil},
		"names":         &Petnames{Names: []Petname{{entry.Actor, evil}}},
		"named":         &PetnameChanged{Done: "named", Petname: Petname{entry.Actor, evil}},
	}
}
