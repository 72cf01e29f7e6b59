package conformance

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"akx/view/fault"
	"akx/view/identity"
)

// identityProtocol is what files of identity vectors name.
const identityProtocol = "agent-identity/1.0"

// extraMembers are the further event members of protocols that the vectors sign
// in; all others have none.
var extraMembers = map[string][]string{
	"agent-discourse/1.0 message.create": {"room_id", "base_seq", "base_hash", "mentions"},
}

// identity runs a file of agent-identity/1.0: each item is one case.
func (r *runner) identity(top *fields) error {
	for _, name := range top.names {
		raw := top.raw(name)
		var err error
		switch name {
		case "protocol", "description":
		case "keys":
			err = r.section(name, raw, []string{"seed", "public_key", "agent_id"}, keyCase)
		case "events":
			err = r.section(name, raw, []string{"event", "jcs", "hash", "signature", "seed"}, eventCase)
		case "signatures":
			err = r.section(name, raw, []string{"public_key", "message", "signature", "valid"}, signatureCase)
		case "max_seen_nonce":
			err = r.section(name, raw, []string{"next_nonce", "now_ms", "header", "accepted", "next_after"}, nonceCase)
		case "events_closed_shape":
			err = r.closedShapes(name, raw)
		case "agent_ids":
			err = r.judge(name, raw, func(s string) error { _, err := identity.ParseActor(s); return err })
		case "json":
			err = r.judge(name, raw, func(s string) error { _, err := identity.Parse([]byte(s)); return err })
		case "origins":
			err = r.judge(name, raw, func(s string) error { _, err := identity.ParseOrigin(s); return err })
		case "request_jwts":
			err = r.tokens(name, raw)
		default:
			r.fail(name, "", "a section that the format has", "the unknown section "+quoted(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func seedKey(c *fields) (identity.Key, error) {
	seed, err := hex.DecodeString(c.text("seed"))
	if err != nil || len(seed) != 32 {
		return identity.Key{}, errors.New("a seed is 32 bytes in hex")
	}
	return identity.NewKey([32]byte(seed)), nil
}

func keyCase(c *fields) error {
	key, err := seedKey(c)
	if err != nil {
		return err
	}
	actor := key.Actor()
	if err := expect("public_key", c.text("public_key"), base64.RawURLEncoding.EncodeToString(actor[:])); err != nil {
		return err
	}
	return expect("agent_id", c.text("agent_id"), actor.String())
}

// extrasOf names the further members that an event's protocol gives it.
func extrasOf(event identity.Value) []string {
	protocol, _ := event.Get("protocol")
	kind, _ := event.Get("type")
	return extraMembers[protocol.Text()+" "+kind.Text()]
}

func eventCase(c *fields) error {
	event, err := identity.Parse(c.raw("event"))
	if err != nil {
		return err
	}
	canonical := identity.AppendCanonical(nil, event)
	if err := expect("jcs", c.text("jcs"), string(canonical)); err != nil {
		return err
	}
	if err := expect("hash", c.text("hash"), identity.ID(identity.SHA3(canonical)).String()); err != nil {
		return err
	}
	format := formatOf(event)
	text := fmt.Sprintf(`{"hash":%s,"event":%s,"signature":%s}`, c.raw("hash"), c.raw("event"), c.raw("signature"))
	envelope, err := identity.Open([]byte(text), format)
	if err != nil {
		return &mismatch{"an envelope that proves", err.Error()}
	}
	if !c.has("seed") {
		return nil
	}
	key, err := seedKey(c)
	if err != nil {
		return err
	}
	draft := identity.Draft{Protocol: envelope.Protocol(), Type: envelope.Type(),
		CreatedAt: envelope.CreatedAt(), Nonce: envelope.Nonce(), Payload: envelope.Payload()}
	for _, name := range format.Extra {
		if v, ok := event.Get(name); ok {
			draft.Extra = append(draft.Extra, identity.Member{Name: name, Value: v})
		}
	}
	signed, err := identity.Sign(key, draft, format)
	if err != nil {
		return err
	}
	return expect("signature", c.text("signature"), signed.Signature().String())
}

// formatOf gives the format of an event's own protocol.
func formatOf(event identity.Value) identity.Format {
	protocol, _ := event.Get("protocol")
	return identity.Format{Protocol: protocol.Text(), Extra: extrasOf(event)}
}

func signatureCase(c *fields) error {
	message, err := base64.RawURLEncoding.DecodeString(c.text("message"))
	if err != nil {
		return err
	}
	actor, badKey := identity.ParseActor(identity.AgentPrefix + c.text("public_key"))
	signature, badSignature := identity.ParseSignature(c.text("signature"))
	got := badKey == nil && badSignature == nil && identity.Verify(actor, message, signature)
	return expect("valid", yes(c.bool("valid")), yes(got))
}

func nonceCase(c *fields) error {
	next := c.integer("next_nonce", 0)
	after, err := identity.ApplyMaxSeen(next, c.integer("now_ms", 0), c.text("header"))
	if err := expect("accepted", yes(c.bool("accepted")), yes(err == nil)); err != nil {
		return err
	}
	return expect("next_after", strconv.FormatInt(c.integer("next_after", next), 10), strconv.FormatInt(after, 10))
}

// group runs the lists valid and invalid of a section.
func (r *runner) group(name string, raw json.RawMessage, others []string, run func(list string, f *fields) error) error {
	f, err := fieldsOf(raw)
	if err == nil {
		err = f.only(append([]string{"valid", "invalid"}, others...)...)
	}
	if err != nil {
		return r.settle(name, "", err)
	}
	for _, list := range []string{"valid", "invalid"} {
		if f.has(list) {
			if err := run(list, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// closedShapes offers bare events, which must be refused for their shape: under a
// right hash nothing before the signature could be wrong with them otherwise.
func (r *runner) closedShapes(name string, raw json.RawMessage) error {
	return r.group(name, raw, nil, func(list string, f *fields) error {
		return r.section(name+" "+list, f.raw(list), []string{"event"}, func(c *fields) error {
			got := valid
			event, err := identity.Parse(c.raw("event"))
			if err != nil {
				return expect("", list, "invalid")
			}
			id := identity.ID(identity.SHA3(identity.AppendCanonical(nil, event)))
			text := fmt.Sprintf(`{"hash":%q,"event":%s,"signature":%q}`, id, c.raw("event"), identity.Signature{})
			var refusal *fault.Refusal
			if _, err := identity.Open([]byte(text), formatOf(event)); errors.As(err, &refusal) && refusal.Step <= fault.StepShape {
				got = "invalid"
			}
			return expect("", list, got)
		})
	})
}

// judge runs items that are a string, or an object with name and value or text.
func (r *runner) judge(name string, raw json.RawMessage, check func(string) error) error {
	return r.group(name, raw, nil, func(list string, f *fields) error {
		items, err := listOf(f.raw(list))
		if err != nil {
			return r.settle(name, list, err)
		}
		for i, item := range items {
			title := fmt.Sprintf("%s %d", list, i)
			text, ok := unquote(item)
			var err error
			if ok {
				title += " " + quoted(text)
			} else {
				title, text, err = namedText(item, title)
			}
			if err == nil {
				err = expect("", list, validity(check(text)))
			}
			if err := r.settle(name, title, err); err != nil {
				return err
			}
		}
		return nil
	})
}

func namedText(item json.RawMessage, title string) (name, text string, err error) {
	f, err := fieldsOf(item)
	if err != nil {
		return title, "", err
	}
	if f.has("name") {
		title = f.text("name")
	}
	key := "value"
	if f.has("text") {
		key = "text"
	}
	if !f.has(key) {
		return title, "", errors.New("an item without value or text")
	}
	text = f.text(key)
	return title, text, errors.Join(f.only("name", key), f.err)
}

func validity(err error) string {
	if err != nil {
		return "invalid"
	}
	return valid
}

// tokens runs request JWTs.
func (r *runner) tokens(name string, raw json.RawMessage) error {
	settings := []string{"audience", "now_secs", "max_ttl_secs"}
	return r.group(name, raw, settings, func(list string, f *fields) error {
		aud, now, ttl := identity.Origin(f.text("audience")), f.integer("now_secs", 0), f.integer("max_ttl_secs", identity.MaxTokenSeconds)
		if f.err != nil {
			return r.settle(name, list, f.err)
		}
		return r.section(name+" "+list, f.raw(list), []string{"token", "claims"}, func(c *fields) error {
			claims, err := identity.OpenRequest(c.text("token"), aud, now, ttl)
			if err := expect("", list, validity(err)); err != nil || list != valid || !c.has("claims") {
				return err
			}
			want, err := fieldsOf(c.raw("claims"))
			if err != nil {
				return err
			}
			return errors.Join(want.only("iss", "sub", "aud", "iat", "exp"), sameClaims(want, claims), want.err)
		})
	})
}

func sameClaims(want *fields, got identity.Claims) error {
	for _, c := range []struct{ name, got string }{
		{"iss", got.Issuer.String()}, {"sub", got.Subject.String()}, {"aud", string(got.Audience)},
	} {
		if want.has(c.name) {
			if err := expect(c.name, want.text(c.name), c.got); err != nil {
				return err
			}
		}
	}
	for _, c := range []struct {
		name string
		got  int64
	}{{"iat", got.IssuedAt}, {"exp", got.Expires}} {
		if want.has(c.name) {
			if err := expect(c.name, strconv.FormatInt(want.integer(c.name, 0), 10), strconv.FormatInt(c.got, 10)); err != nil {
				return err
			}
		}
	}
	return nil
}
