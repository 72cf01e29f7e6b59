package identity

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"akx/view/fault"
)

// tokenOf signs any header and claims.
func tokenOf(t *testing.T, k Key, header, claims string) string {
	t.Helper()
	input := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
	signature, err := k.sign([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	return input + "." + signature.String()
}

func TestRequestTokens_AgentIdentity_7(t *testing.T) {
	const aud, now = Origin("https://hub.example:8443"), int64(1_800_000_000)
	k := TestKey(0x21)
	me, other := k.Actor().String(), TestKey(0x22).Actor().String()
	header := `{"alg":"EdDSA","typ":"JWT","kid":"` + me + `"}`
	claims := `{"iss":"` + me + `","sub":"` + me + `","aud":"https://hub.example:8443","iat":1800000000,"exp":1800000300}`
	swap := func(s, old, new string) string {
		if !strings.Contains(s, old) {
			t.Fatalf("%s is not in %s", old, s)
		}
		return strings.Replace(s, old, new, 1)
	}
	good := tokenOf(t, k, header, claims)
	dot := strings.LastIndex(good, ".")
	for _, c := range []struct {
		name, token string
		now, max    int64
		ok          bool
	}{
		{"as it should be", good, now, 300, true},
		{"no maximum given", good, now, 0, true},
		{"a larger maximum", good, now, 9999, true},
		{"a smaller maximum", good, now, 299, false},
		{"last second", good, now + 299, 300, true},
		{"expired", good, now + 300, 300, false},
		{"a minute early", good, now - 60, 300, true},
		{"more than a minute early", good, now - 61, 300, false},
		{"unknown claims", tokenOf(t, k, header, swap(claims, `{`, `{"nbf":"x","jti":1,`)), now, 300, true},
		{"unknown header member", tokenOf(t, k, swap(header, `{`, `{"x":1,`), claims), now, 300, true},
		{"times by value", tokenOf(t, k, header, swap(claims, "1800000300", "1800000300.0")), now, 300, true},
		{"301 seconds", tokenOf(t, k, header, swap(claims, "1800000300", "1800000301")), now, 300, false},
		{"no time at all", tokenOf(t, k, header, swap(claims, "1800000300", "1800000000")), now - 1, 300, false},
		{"exp before iat", tokenOf(t, k, header, swap(claims, "1800000300", "5")), 1, 300, false},
		{"a fraction", tokenOf(t, k, header, swap(claims, "1800000300", "1800000300.5")), now, 300, false},
		{"a string", tokenOf(t, k, header, swap(claims, "1800000300", `"1800000300"`)), now, 300, false},
		{"negative", tokenOf(t, k, header, swap(claims, "1800000000", `-1`)), now, 300, false},
		{"no exp", tokenOf(t, k, header, swap(claims, `,"exp":1800000300`, ``)), now, 300, false},
		{"alg none", tokenOf(t, k, swap(header, "EdDSA", "none"), claims), now, 300, false},
		{"alg lower case", tokenOf(t, k, swap(header, "EdDSA", "eddsa"), claims), now, 300, false},
		{"typ", tokenOf(t, k, swap(header, "JWT", "at+jwt"), claims), now, 300, false},
		{"no typ", tokenOf(t, k, swap(header, `"typ":"JWT",`, ""), claims), now, 300, false},
		{"crit", tokenOf(t, k, swap(header, `{`, `{"crit":["x"],`), claims), now, 300, false},
		{"kid of another", tokenOf(t, k, swap(header, me, other), claims), now, 300, false},
		{"sub of another", tokenOf(t, k, header, swap(claims, `"sub":"`+me, `"sub":"`+other)), now, 300, false},
		{"iss of another", tokenOf(t, k, header, swap(claims, `"iss":"`+me, `"iss":"`+other)), now, 300, false},
		{"iss no Agent ID", tokenOf(t, k, header, swap(claims, `"iss":"did`, `"iss":"DID`)), now, 300, false},
		{"signed by another", tokenOf(t, TestKey(0x22), header, claims), now, 300, false},
		{"aud of another", tokenOf(t, k, header, swap(claims, ":8443", "")), now, 300, false},
		{"aud with a path", tokenOf(t, k, header, swap(claims, ":8443", ":8443/")), now, 300, false},
		{"aud a list", tokenOf(t, k, header, swap(claims, `"https://hub.example:8443"`, `["https://hub.example:8443"]`)), now, 300, false},
		{"a claim twice", tokenOf(t, k, header, swap(claims, `{`, `{"iat":1800000000,`)), now, 300, false},
		{"claims no object", tokenOf(t, k, header, `[]`), now, 300, false},
		{"header no JSON", tokenOf(t, k, `x`, claims), now, 300, false},
		{"two parts", good[:dot], now, 300, false}, {"four parts", good + ".", now, 300, false}, {"empty", "", now, 300, false}, {"dots", "..", now, 300, false},
		{"padding", swap(good, ".", "=."), now, 300, false}, {"line break", swap(good, ".", "\n."), now, 300, false},
		{"no signature", good[:dot+1], now, 300, false}, {"trailing bits", good[:len(good)-1] + "B", now, 300, false},
		{"too long", tokenOf(t, k, header, swap(claims, `{`, `{"x":"`+strings.Repeat("x", MaxTokenBytes)+`",`)), now, 300, false},
	} {
		got, err := OpenRequest(c.token, aud, c.now, c.max)
		if c.ok {
			if err != nil || got.Issuer != k.Actor() || got.Subject != k.Actor() || got.Audience != aud || got.IssuedAt != now || got.Expires != now+300 {
				t.Errorf("%s: %+v, %v", c.name, got, err)
			}
			continue
		}
		var refusal *fault.Refusal
		if !errors.As(err, &refusal) || refusal.Code != fault.InvalidToken || got != (Claims{}) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func TestSignRequest_AgentIdentity_7(t *testing.T) {
	k := TestKey(0x21)
	for _, ttl := range []int64{1, 300} {
		token, err := SignRequest(k, "https://a.example", 100, ttl)
		if err != nil {
			t.Fatal(err)
		}
		c, err := OpenRequest(token, "https://a.example", 100, 0)
		if err != nil || c.Expires != 100+ttl || c.IssuedAt != 100 {
			t.Errorf("%d: %+v, %v", ttl, c, err)
		}
		if _, err := OpenRequest(token, "https://b.example", 100, 0); err == nil {
			t.Error("a token for another origin opens")
		}
	}
	for _, c := range []struct {
		aud      Origin
		now, ttl int64
	}{{"https://a.example/", 100, 60}, {"", 100, 60}, {"https://a.example", 100, 0}, {"https://a.example", 100, 301}, {"https://a.example", -1, 60}, {"https://a.example", 1<<63 - 1, 60}} {
		if token, err := SignRequest(k, c.aud, c.now, c.ttl); err == nil || token != "" {
			t.Errorf("%+v: %q", c, token)
		}
	}
}
