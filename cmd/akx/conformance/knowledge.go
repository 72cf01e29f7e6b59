package conformance

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// serviceOrigin is the origin of the service in every case (README of the vectors).
const serviceOrigin identity.Origin = "https://knowledge.example.com"

// valid is what a case expects that is not refused.
const valid = "valid"

// fixture is one signed event of a file; its envelope may be refused on purpose.
type fixture struct{ envelope json.RawMessage }

// knowledge runs a file of agent-knowledge/1.0.
func (r *runner) knowledge(top *fields) error {
	r.now = top.integer("now", 0)
	if top.err != nil {
		r.fail("", "now", "a time in ms", top.err.Error())
	}
	r.readFixtures(top)
	sections := map[string]struct {
		allowed []string
		run     func(c *fields) error
	}{
		"schema_cases":     {[]string{"definition", "valid", "value", "fixture", "changes"}, r.schemaCase},
		"identity_cases":   {[]string{"raw_json", "fixture", "changes", "expected"}, r.identityCase},
		"object_cases":     {[]string{"accepted", "hidden", "fixture", "expected", "missing"}, r.onStores(objectCase)},
		"view_cases":       {[]string{"known", "arrival_orders", "expected", "expected_relations"}, r.viewCase},
		"acceptance_cases": {[]string{"accepted", "hidden", "steps"}, r.onStores(acceptanceCase)},
		"evidence_cases":   {[]string{"digest", "representation_hex", "expected"}, r.evidenceCase},
		"query_cases":      {[]string{"accepted", "hidden", "parameters", "expected", "matches"}, r.onStores(queryCase)},
		"text_cases":       {[]string{"text", "lexical", "expected", "terms", "fixture", "matches"}, r.textCase},
		"batch_cases": {[]string{"accepted", "hidden", "request", "raw_json", "response_changes", "expected",
			"result", "missing"}, r.onStores(batchCase)},
		"search_cases": {[]string{"accepted", "hidden", "request", "raw_json", "candidates", "modes", "coverage",
			"response_changes", "expected", "result"}, r.onStores(searchCase)},
		"pagination_cases": {[]string{"accepted", "hidden", "steps"}, r.onStores(paginationCase)},
		"discovery_cases":  {[]string{"document", "origin", "expected"}, r.discoveryCase},
	}
	for _, name := range top.names {
		switch name {
		case "protocol", "description", "now", "seeds", "fixtures":
			continue
		case "research_artifacts":
			r.artifacts(top.raw(name))
			continue
		}
		section, ok := sections[name]
		if !ok {
			r.fail(name, "", "a section that the format has", "the unknown section "+quoted(name))
			continue
		}
		if err := r.section(name, top.raw(name), section.allowed, section.run); err != nil {
			return err
		}
	}
	return nil
}

// readFixtures reads the fixtures and holds each to what the file says of it: its
// canonical text, its hash, and the seed of its signer. They are no cases of
// their own, so that only what is wrong is counted.
func (r *runner) readFixtures(top *fields) {
	r.fixtures = make(map[string]fixture)
	if !top.has("fixtures") {
		return
	}
	actors := r.readSeeds(top)
	all, err := fieldsOf(top.raw("fixtures"))
	if err != nil {
		r.fail("fixtures", "", "an object", err.Error())
		return
	}
	for _, name := range all.names {
		f, err := fieldsOf(all.raw(name))
		if err == nil {
			err = f.only("signer", "canonical_event_utf8", "envelope")
		}
		if err == nil {
			r.fixtures[name] = fixture{f.raw("envelope")}
			err = checkFixture(f, actors)
		}
		var m *mismatch
		if errors.As(err, &m) {
			r.fail("fixtures", name, m.expected, m.got)
		} else if err != nil {
			r.fail("fixtures", name, "a signed envelope", err.Error())
		}
	}
}

func (r *runner) readSeeds(top *fields) map[string]identity.Actor {
	actors := make(map[string]identity.Actor)
	if !top.has("seeds") {
		return actors
	}
	seeds, err := fieldsOf(top.raw("seeds"))
	if err != nil {
		r.fail("seeds", "", "an object", err.Error())
		return actors
	}
	for _, name := range seeds.names {
		seed, err := hex.DecodeString(seeds.text(name))
		if err != nil || len(seed) != 32 || seeds.err != nil {
			r.fail("seeds", name, "32 bytes in hex", quoted(string(seeds.raw(name))))
			continue
		}
		actors[name] = identity.NewKey([32]byte(seed)).Actor()
	}
	return actors
}

func checkFixture(f *fields, actors map[string]identity.Actor) error {
	v, err := identity.Parse(f.raw("envelope"))
	if err != nil {
		return nil // not strict JSON on purpose: the cases that use it judge that
	}
	event, _ := v.Get("event")
	hash, _ := v.Get("hash")
	canonical := identity.AppendCanonical(nil, event)
	if f.has("canonical_event_utf8") {
		if err := expect("canonical event", f.text("canonical_event_utf8"), string(canonical)); err != nil {
			return err
		}
	}
	if err := expect("hash", hash.Text(), identity.ID(identity.SHA3(canonical)).String()); err != nil {
		return err
	}
	if actor, known := actors[f.text("signer")]; known {
		named, _ := event.Get("actor")
		return expect("actor", actor.String(), named.Text())
	}
	return f.err
}

// artifacts recomputes the digests of the research artifacts.
func (r *runner) artifacts(raw json.RawMessage) {
	const section = "research_artifacts"
	all, err := fieldsOf(raw)
	if err != nil {
		r.fail(section, "", "an object", err.Error())
		return
	}
	for _, name := range all.names {
		if name == "description" {
			continue
		}
		a, err := fieldsOf(all.raw(name))
		if err == nil {
			err = a.only("digest", "representation_hex")
		}
		if err == nil {
			bytes, bad := hex.DecodeString(a.text("representation_hex"))
			if err = bad; err == nil && a.err == nil {
				err = expect("digest", a.text("digest"), identity.Digest(identity.SHA3(bytes)).String())
			}
		}
		var m *mismatch
		switch {
		case errors.As(err, &m):
			r.fail(section, name, m.expected, m.got)
		case err != nil:
			r.fail(section, name, "an artifact with its digest", err.Error())
		}
	}
}

func (r *runner) fixture(name string) (fixture, error) {
	f, ok := r.fixtures[name]
	if !ok {
		return f, errors.New("there is no fixture " + quoted(name))
	}
	return f, nil
}

// event gives the proven and valid event of a fixture.
func (r *runner) event(name string) (capsule.Event, error) {
	f, err := r.fixture(name)
	if err != nil {
		return nil, err
	}
	offer, err := capsule.Open(f.envelope)
	if err != nil {
		return nil, err
	}
	if refused := offer.Refusal(); refused != nil {
		return nil, refused
	}
	return offer.Event(), nil
}

// outcome is valid, or the code of a refusal. The failure of a store ends the run;
// any other error is one of the case.
func outcome(err error) (string, error) {
	var refusal *fault.Refusal
	var absent *fault.NotHeld
	var unavailable *fault.Unavailable
	var damaged *fault.Damaged
	switch {
	case err == nil:
		return valid, nil
	case errors.As(err, &refusal):
		return string(refusal.Code), nil
	case errors.As(err, &absent):
		return string(fault.NotFound), nil
	case errors.As(err, &unavailable), errors.As(err, &damaged):
		return "", &broken{err}
	}
	return "", err
}

func (r *runner) schemaCase(c *fields) error {
	shape, ok := wire.Shapes()[c.text("definition")]
	if !ok {
		return errors.New("there is no definition " + quoted(c.text("definition")))
	}
	raw := c.raw("value")
	if c.has("fixture") {
		f, err := r.fixture(c.text("fixture"))
		if err != nil {
			return err
		}
		raw = f.envelope
	} else if raw == nil {
		return errors.New("a case without value or fixture")
	}
	raw, err := c.changed("changes", raw)
	if err != nil {
		return err
	}
	got := valid
	if v, err := parseLoose(raw); err != nil {
		got = "invalid: " + err.Error()
	} else if refusal := shape(v); refusal != nil {
		got = "invalid: " + refusal.Error()
	}
	switch {
	case !c.has("valid"):
		return errors.New("a case without the member valid")
	case c.bool("valid") && got != valid:
		return &mismatch{valid, got}
	case !c.bool("valid") && got == valid:
		return &mismatch{"invalid", got}
	}
	return nil
}

func (r *runner) identityCase(c *fields) error {
	if c.has("raw_json") {
		got := valid
		if _, err := identity.Parse([]byte(c.text("raw_json"))); err != nil {
			got = string(fault.InvalidEvent)
		}
		return expect("", c.text("expected"), got)
	}
	f, err := r.fixture(c.text("fixture"))
	if err != nil {
		return err
	}
	text, err := c.changed("changes", f.envelope)
	if err != nil {
		return err
	}
	offer, err := capsule.Open(text)
	if err == nil && offer.Refusal() != nil {
		err = offer.Refusal()
	}
	got, err := outcome(err)
	if err != nil {
		return err
	}
	return expect("", c.text("expected"), got)
}

func (r *runner) evidenceCase(c *fields) error {
	var digest identity.Digest
	var err error
	if c.has("digest") && string(c.raw("digest")) != "null" {
		if digest, err = identity.ParseDigest(c.text("digest")); err != nil {
			return err
		}
	}
	have := c.has("representation_hex") && string(c.raw("representation_hex")) != "null"
	var bytes []byte
	if have {
		if bytes, err = hex.DecodeString(c.text("representation_hex")); err != nil {
			return err
		}
	}
	return expect("", c.text("expected"), capsule.CheckEvidence(digest, bytes, have).String())
}

func (r *runner) textCase(c *fields) error {
	if !c.has("text") {
		return errors.New("a case without text")
	}
	terms, err := capsule.ParseTerms(c.text("text"), c.bool("lexical"))
	got, err := outcome(err)
	if err != nil {
		return err
	}
	if err := expect("", c.text("expected"), got); err != nil || got != valid {
		return err
	}
	if want := c.texts("terms"); c.has("terms") && !slices.Equal(want, terms) {
		return &mismatch{"terms " + list(want), "terms " + list(terms)}
	}
	if !c.has("fixture") || !c.has("matches") {
		return nil
	}
	event, err := r.event(c.text("fixture"))
	if err != nil {
		return err
	}
	return expect("matches", yes(c.bool("matches")), yes(capsule.Lexical(event, terms)))
}

func (r *runner) discoveryCase(c *fields) error {
	if !c.has("document") {
		return errors.New("a case without document")
	}
	_, err := wire.ParseDiscovery(c.raw("document"), identity.Origin(c.text("origin")))
	got, err := outcome(err)
	if err != nil {
		return err
	}
	return expect("", c.text("expected"), got)
}

func yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// list shows texts in a report.
func list(texts []string) string {
	if texts == nil {
		texts = []string{}
	}
	b, _ := json.Marshal(texts)
	return string(b)
}
