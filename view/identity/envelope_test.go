package identity

import (
	"errors"
	"strings"
	"testing"

	"akx/view/fault"
)

// parts of a valid envelope, each of which a case may replace.
type pieces struct{ hash, protocol, kind, actor, createdAt, nonce, payload, signature, event, envelope string }

// text puts an envelope together; event and envelope are further members.
func (p pieces) text() string {
	return `{"hash":` + p.hash + `,"event":{"protocol":` + p.protocol + `,"type":` + p.kind + `,"actor":` + p.actor + `,"created_at":` + p.createdAt +
		`,"nonce":` + p.nonce + `,"payload":` + p.payload + p.event + `},"signature":` + p.signature + p.envelope + `}`
}

// validPieces signs a small event.
func validPieces(t *testing.T) (pieces, Envelope) {
	t.Helper()
	e, err := Sign(TestKey(0x21), Draft{Protocol: benchFormat.Protocol, Type: "knowledge.retract", CreatedAt: 7, Nonce: 9,
		Payload: ObjectValue(Member{"reason", StringValue("none")})}, benchFormat)
	if err != nil {
		t.Fatal(err)
	}
	return pieces{hash: `"` + e.ID().String() + `"`, protocol: `"agent-knowledge/1.0"`, kind: `"knowledge.retract"`, actor: `"` + e.Actor().String() + `"`,
		createdAt: "7", nonce: "9", payload: `{"reason":"none"}`, signature: `"` + e.Signature().String() + `"`}, e
}

func TestOpen_AgentIdentity_6_1(t *testing.T) {
	p, signed := validPieces(t)
	for name, edit := range map[string]func(*pieces){
		"as signed":            func(*pieces) {},
		"numbers by value":     func(p *pieces) { p.createdAt, p.nonce = "7.0", "0.9e1" },
		"space between tokens": func(p *pieces) { p.payload = "\n{ \"reason\" :\t\"none\" }" },
		"escapes":              func(p *pieces) { p.payload = `{"\u0072eason":"n\u006fne"}` },
	} {
		q := p
		edit(&q)
		e, err := Open([]byte(q.text()), benchFormat)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		reason, _ := e.Payload().Get("reason")
		if e.ID() != signed.ID() || e.Text() != q.text() || e.IsZero() || e.Protocol() != "agent-knowledge/1.0" || e.Type() != "knowledge.retract" ||
			e.CreatedAt() != 7 || e.Nonce() != 9 || e.Actor() != TestKey(0x21).Actor() || reason.Text() != "none" || SHA3(e.Canonical()) != e.ID() {
			t.Errorf("%s: %+v", name, e)
		}
		again, err := Reopen([]byte(e.Text()), e.Proven(), benchFormat)
		if err != nil || again.ID() != e.ID() || again.Signature() != e.Signature() || again.Text() != e.Text() || again.Nonce() != 9 {
			t.Errorf("%s: reopened: %v", name, err)
		}
	}
}

// refusals are single faults in a valid envelope and the step that must find them.
var refusals = []struct {
	name string
	step fault.Step
	edit func(*pieces)
}{
	{"torn", fault.StepParse, func(p *pieces) { p.envelope = `,"x"` }},
	{"a name twice", fault.StepParse, func(p *pieces) { p.event = `,"nonce":9` }},
	{"unsafe nonce", fault.StepParse, func(p *pieces) { p.nonce = "9007199254740992" }},
	{"envelope member", fault.StepShape, func(p *pieces) { p.envelope = `,"accepted_at":1` }},
	{"event member", fault.StepShape, func(p *pieces) { p.event = `,"audience":"x"` }},
	{"protocol", fault.StepShape, func(p *pieces) { p.protocol = `"agent-knowledge/2.0"` }},
	{"protocol null", fault.StepShape, func(p *pieces) { p.protocol = `null` }},
	{"type", fault.StepShape, func(p *pieces) { p.kind = `"knowledge.delete"` }},
	{"type a number", fault.StepShape, func(p *pieces) { p.kind = `1` }},
	{"created_at negative", fault.StepShape, func(p *pieces) { p.createdAt = `-1` }},
	{"created_at a fraction", fault.StepShape, func(p *pieces) { p.createdAt = `7.5` }},
	{"created_at a string", fault.StepShape, func(p *pieces) { p.createdAt = `"7"` }},
	{"nonce zero", fault.StepShape, func(p *pieces) { p.nonce = `0` }},
	{"nonce a fraction", fault.StepShape, func(p *pieces) { p.nonce = `1e-1` }},
	{"nonce a boolean", fault.StepShape, func(p *pieces) { p.nonce = `true` }},
	{"payload an array", fault.StepShape, func(p *pieces) { p.payload = `[]` }},
	{"payload null", fault.StepShape, func(p *pieces) { p.payload = `null` }},
	{"hash of another event", fault.StepHash, func(p *pieces) { p.hash = `"` + someID + `"` }},
	{"hash malformed", fault.StepHash, func(p *pieces) { p.hash = `"short"` }},
	{"hash a number", fault.StepHash, func(p *pieces) { p.hash = `1` }},
	{"hash null", fault.StepHash, func(p *pieces) { p.hash = `null` }},
	{"payload changed", fault.StepHash, func(p *pieces) { p.payload = `{"reason":"nine"}` }},
	{"created_at changed", fault.StepHash, func(p *pieces) { p.createdAt = `8` }},
	{"signature malformed", fault.StepSignature, func(p *pieces) { p.signature = `"short"` }},
	{"signature an object", fault.StepSignature, func(p *pieces) { p.signature = `{}` }},
	{"signature of nothing", fault.StepSignature, func(p *pieces) { p.signature = `"` + Signature{}.String() + `"` }},
}

func TestOpenRefuses_AgentIdentity_6_1(t *testing.T) {
	valid, _ := validPieces(t)
	for i, c := range refusals {
		p := valid
		c.edit(&p)
		e, err := Open([]byte(p.text()), benchFormat)
		wantStep(t, c.name, err, c.step)
		if !e.IsZero() || e.Text() != "" || e.Payload().Kind() != Absent {
			t.Errorf("%s: an envelope beside an error", c.name)
		}
		// The first step that fails decides, whatever else is wrong. An edit that
		// takes the place of the other leaves only itself.
		for _, later := range refusals[i+1:] {
			q := valid
			later.edit(&q)
			c.edit(&q)
			_, err := Open([]byte(q.text()), benchFormat)
			wantStep(t, c.name+" and "+later.name, err, min(c.step, later.step))
		}
	}
}

// A key that is malformed fails at the actor; one that cannot verify anything, at
// the signature. Both come after the hash, which is right here.
func TestUnusableKeys_AgentIdentity_3(t *testing.T) {
	for name, c := range map[string]struct {
		actor string
		step  fault.Step
	}{
		"a string":         {`"nobody"`, fault.StepActor},
		"a number":         {`5`, fault.StepActor},
		"short":            {`"did:agent:AAAA"`, fault.StepActor},
		"small order":      {`"` + Actor{1}.String() + `"`, fault.StepSignature},
		"zero":             {`"` + Actor{}.String() + `"`, fault.StepSignature},
		"not canonical":    {`"` + Actor(nonCanonical(0)).String() + `"`, fault.StepSignature},
		"not on the curve": {`"` + Actor{2}.String() + `"`, fault.StepSignature},
	} {
		p, _ := validPieces(t)
		p.actor = c.actor
		event, err := Parse([]byte(`{"protocol":` + p.protocol + `,"type":` + p.kind + `,"actor":` + p.actor + `,"created_at":7,"nonce":9,"payload":` + p.payload + `}`))
		if err != nil {
			t.Fatal(err)
		}
		p.hash = `"` + ID(SHA3(AppendCanonical(nil, event))).String() + `"`
		_, err = Open([]byte(p.text()), benchFormat)
		wantStep(t, name, err, c.step)
		p.signature = `"short"`
		_, err = Open([]byte(p.text()), benchFormat)
		wantStep(t, name+" with a short signature", err, c.step)
	}
}

func TestOpenShapes(t *testing.T) {
	for _, text := range []string{`[]`, `null`, `"x"`, `1`, `{}`, `{"hash":"","signature":""}`, `{"hash":"","event":[],"signature":""}`, `{"hash":"","event":{},"signature":""}`,
		`{"hash":"","event":null,"signature":"","x":1}`, `{"Hash":"","event":{},"signature":""}`} {
		_, err := Open([]byte(text), benchFormat)
		wantStep(t, text, err, fault.StepShape)
	}
	// Each member must be there; an extra one that the format names as well.
	valid, _ := validPieces(t)
	for _, name := range []string{"protocol", "type", "actor", "created_at", "nonce", "payload", "hash", "event", "signature"} {
		_, err := Open([]byte(strings.Replace(valid.text(), `"`+name+`":`, `"other":`, 1)), benchFormat)
		wantStep(t, "without "+name, err, fault.StepShape)
	}
	format := benchFormat
	format.Extra = []string{"room_id"}
	_, err := Open([]byte(valid.text()), format)
	wantStep(t, "without an extra member", err, fault.StepShape)
	d := Draft{Protocol: format.Protocol, Type: "knowledge.retract", Nonce: 1, Payload: ObjectValue(), Extra: []Member{{"room_id", StringValue("r")}}}
	e, err := Sign(TestKey(1), d, format)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open([]byte(e.Text()), benchFormat)
	wantStep(t, "with an extra member", err, fault.StepShape)
}

// A local limit is not invalidity, and comes before everything else.
func TestMaxBytes(t *testing.T) {
	valid, signed := validPieces(t)
	text := valid.text()
	for _, c := range []struct{ limit, size int }{{0, MaxEnvelopeBytes}, {1000, 1000}, {len(text), len(text)}} {
		format := benchFormat
		format.MaxBytes = c.limit
		fits := text + strings.Repeat(" ", c.size-len(text))
		if e, err := Open([]byte(fits), format); err != nil || e.ID() != signed.ID() {
			t.Errorf("%d: at the limit: %v", c.limit, err)
		}
		_, err := Open([]byte(fits+" "), format)
		wantStep(t, "over the limit", err, fault.StepLimit)
		_, err = Open([]byte(strings.Repeat("x", c.size+1)), format)
		wantStep(t, "over the limit and not JSON", err, fault.StepLimit)
	}
}

func TestOpenValue(t *testing.T) {
	valid, signed := validPieces(t)
	text := []byte(` {"seq":1,"envelope": ` + valid.text() + ` ,"more":[{}]}`)
	record, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	inside, _ := record.Get("envelope")
	e, err := OpenValue(text, inside, benchFormat)
	if err != nil || e.ID() != signed.ID() || e.Text() != valid.text() {
		t.Errorf("%q, %v", e.Text(), err)
	}
	if _, err := Reopen([]byte(e.Text()), e.Proven(), benchFormat); err != nil {
		t.Errorf("reopened: %v", err)
	}
	format := benchFormat
	format.MaxBytes = len(valid.text()) - 1
	_, err = OpenValue(text, inside, format)
	wantStep(t, "over the limit", err, fault.StepLimit)
	seq, _ := record.Get("seq")
	for _, v := range []Value{{}, record, seq, ObjectValue(), StringValue("x")} {
		_, err := OpenValue(text, v, benchFormat)
		wantStep(t, "not an envelope", err, fault.StepShape)
	}
	_, err = OpenValue(text[:40], inside, benchFormat)
	wantStep(t, "another text", err, fault.StepShape)
}

func TestReopenRefuses(t *testing.T) {
	valid, e := validPieces(t)
	other, err := Sign(TestKey(0x22), Draft{Protocol: benchFormat.Protocol, Type: "knowledge.retract", Nonce: 1, Payload: ObjectValue()}, benchFormat)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(edit func(*pieces)) string {
		p := valid
		edit(&p)
		return p.text()
	}
	proven := func(text string) Proven {
		p := e.Proven()
		p.Checksum = checksum([]byte(text))
		return p
	}
	swapped := e.Proven()
	swapped.Signature[5] ^= 1
	for _, c := range []struct {
		name, text string
		proven     Proven
	}{
		{"empty", "", e.Proven()}, {"zero", e.Text(), Proven{}}, {"space added", e.Text() + " ", e.Proven()}, {"another event", other.Text(), e.Proven()},
		{"another event, checksum forged", other.Text(), proven(other.Text())}, {"another ID", e.Text(), other.Proven()}, {"another signature", e.Text(), swapped},
		{"no JSON", "x", proven("x")},
		{"payload", changed(func(p *pieces) { p.payload = "{}" }), proven(changed(func(p *pieces) { p.payload = "{}" }))},
		{"signature text", changed(func(p *pieces) { p.signature = `"x"` }), proven(changed(func(p *pieces) { p.signature = `"x"` }))},
		{"extra member", changed(func(p *pieces) { p.envelope = `,"x":1` }), proven(changed(func(p *pieces) { p.envelope = `,"x":1` }))},
	} {
		got, err := Reopen([]byte(c.text), c.proven, benchFormat)
		var damaged *fault.Damaged
		if !errors.As(err, &damaged) || damaged.FaultCode() != fault.DamagedCode || !got.IsZero() {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Reopen([]byte(e.Text()), e.Proven(), Format{Protocol: "agent-profile/1.0"}); err == nil {
		t.Error("another protocol reopens")
	}
}

// The checksum goes to disk: its values must never change.
func TestChecksumIsStable(t *testing.T) {
	if got := checksum([]byte("123456789")); got != 0x995dc9bbdf1939fa {
		t.Errorf("CRC-64 is %#x", got)
	}
}
