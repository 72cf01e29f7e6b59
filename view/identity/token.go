package identity

import (
	"encoding/base64"
	"strings"

	"akx/view/fault"
)

// Bounds of request JWTs (Agent Identity 7).
const (
	MaxTokenSeconds = 300     // from iat to exp
	MaxTokenBytes   = 8 << 10 // akx's local limit for one token
	tokenLeeway     = 60      // seconds that iat may lie in the future
)

// Claims are the claims of a request JWT (Agent Identity 7), times in seconds.
type Claims struct {
	Issuer, Subject Actor
	Audience        Origin
	IssuedAt        int64
	Expires         int64
}

// SignRequest makes a compact request JWT for one origin. ttl is 1 to 300 seconds.
// Errors are *fault.Usage for a key, time or ttl that cannot be used, and that of
// ParseOrigin.
func SignRequest(k Key, aud Origin, nowSecs, ttl int64) (string, error) {
	if _, err := ParseOrigin(string(aud)); err != nil {
		return "", err
	}
	if ttl < 1 || ttl > MaxTokenSeconds || nowSecs < 0 || nowSecs > MaxSafeInteger-ttl {
		return "", &fault.Usage{Detail: "a request token lasts 1 to 300 seconds"}
	}
	actor := StringValue(k.Actor().String())
	header := ObjectValue(
		Member{"alg", StringValue("EdDSA")}, Member{"typ", StringValue("JWT")}, Member{"kid", actor})
	claims := ObjectValue(
		Member{"iss", actor}, Member{"sub", actor}, Member{"aud", StringValue(string(aud))},
		Member{"iat", IntegerValue(nowSecs)}, Member{"exp", IntegerValue(nowSecs + ttl)})
	input := encodePart(header) + "." + encodePart(claims)
	signature, err := k.sign([]byte(input))
	if err != nil {
		return "", err
	}
	return input + "." + signature.String(), nil
}

func encodePart(v Value) string {
	return base64.RawURLEncoding.EncodeToString(AppendCanonical(nil, v))
}

// OpenRequest checks a compact request JWT for the service origin aud: form,
// claims, signature and times. maxTTL can only shorten the 300 seconds; 0 leaves
// them. Unknown claims are ignored, so are unknown header members but crit. Errors
// are *fault.Refusal with the code invalid_token; the Claims are zero then.
func OpenRequest(token string, aud Origin, nowSecs, maxTTL int64) (Claims, error) {
	if len(token) > MaxTokenBytes {
		return Claims{}, tokenError(fault.StepLimit, "longer than 8 KiB")
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return Claims{}, tokenError(fault.StepParse, "not three parts")
	}
	kid, err := readHeader(parts[0])
	if err != nil {
		return Claims{}, err
	}
	c, err := readClaims(parts[1])
	if err != nil {
		return Claims{}, err
	}
	if c.Issuer != kid || c.Subject != kid {
		return Claims{}, tokenError(fault.StepActor, "iss, sub and kid differ")
	}
	if c.Audience != aud {
		return Claims{}, tokenError(fault.StepShape, "made for another origin")
	}
	signature, err := ParseSignature(parts[2])
	if err != nil || !Verify(kid, []byte(token[:len(token)-len(parts[2])-1]), signature) {
		return Claims{}, tokenError(fault.StepSignature, "the signature does not hold")
	}
	if err := c.checkTimes(nowSecs, maxTTL); err != nil {
		return Claims{}, err
	}
	return c, nil
}

func (c Claims) checkTimes(nowSecs, maxTTL int64) error {
	if maxTTL <= 0 || maxTTL > MaxTokenSeconds {
		maxTTL = MaxTokenSeconds
	}
	switch {
	case c.Expires <= c.IssuedAt || c.Expires-c.IssuedAt > maxTTL:
		return tokenError(fault.StepClock, "lasts too long or not at all")
	case nowSecs >= c.Expires:
		return tokenError(fault.StepClock, "expired")
	case c.IssuedAt-tokenLeeway > nowSecs:
		return tokenError(fault.StepClock, "from the future")
	}
	return nil
}

// readHeader checks the first part and gives the actor that it names.
func readHeader(part string) (Actor, error) {
	v, err := decodePart(part)
	if err != nil {
		return Actor{}, err
	}
	if textOf(&v, "alg") != "EdDSA" || textOf(&v, "typ") != "JWT" || v.member("crit") != nil {
		return Actor{}, tokenError(fault.StepShape, "not the header of a request token")
	}
	return actorOf(&v, "kid")
}

func readClaims(part string) (Claims, error) {
	v, err := decodePart(part)
	if err != nil {
		return Claims{}, err
	}
	c := Claims{Audience: Origin(textOf(&v, "aud"))}
	if c.Issuer, err = actorOf(&v, "iss"); err != nil {
		return Claims{}, err
	}
	if c.Subject, err = actorOf(&v, "sub"); err != nil {
		return Claims{}, err
	}
	for _, time := range []struct {
		name string
		to   *int64
	}{{"iat", &c.IssuedAt}, {"exp", &c.Expires}} {
		claim, _ := v.Get(time.name)
		n, ok := claim.Integer()
		if !ok || n < 0 {
			return Claims{}, tokenError(fault.StepShape, time.name+" is not a time in seconds")
		}
		*time.to = n
	}
	return c, nil
}

// decodePart reads one part: canonical base64url of a strict JSON object.
func decodePart(part string) (Value, error) {
	raw := make([]byte, base64.RawURLEncoding.DecodedLen(len(part)))
	if len(part)%4 == 1 || !decodeBase64(raw, part) {
		return Value{}, tokenError(fault.StepParse, "not canonical base64url")
	}
	v, err := Parse(raw)
	if err != nil || v.Kind() != Object {
		return Value{}, tokenError(fault.StepParse, "not strict JSON with an object")
	}
	return v, nil
}

// textOf gives a string member; empty where there is none.
func textOf(v *Value, name string) string {
	if m := v.member(name); m != nil {
		return m.text
	}
	return ""
}

func actorOf(v *Value, name string) (Actor, error) {
	a, err := ParseActor(textOf(v, name))
	if err != nil {
		return Actor{}, tokenError(fault.StepActor, name+" is not an Agent ID")
	}
	return a, nil
}

func tokenError(step fault.Step, detail string) error {
	return &fault.Refusal{Step: step, Code: fault.InvalidToken, Detail: "request token: " + detail}
}
