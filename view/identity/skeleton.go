package identity

// Origin is a canonical HTTPS origin, such as "https://hub.example".
type Origin string

// ParseOrigin accepts canonical spelling only.
func ParseOrigin(s string) (Origin, error) { panic("skeleton") }

// CheckHTTPS reports whether s is an absolute HTTPS URL with a host and without
// userinfo, parsed by WHATWG rules (Agent Knowledge 8.1).
func CheckHTTPS(s string) error { panic("skeleton") }

// TestSeedName names the published test seed behind a; ok is false for other actors.
func TestSeedName(a Actor) (name string, ok bool) { panic("skeleton") }

// Claims are the claims of a request JWT (Agent Identity 7), times in seconds.
type Claims struct {
	Issuer, Subject Actor
	Audience        Origin
	IssuedAt        int64
	Expires         int64
}

// SignRequest makes a compact request JWT for one origin. ttl is 1 to 300 seconds.
func SignRequest(k Key, aud Origin, nowSecs, ttl int64) (string, error) { panic("skeleton") }

// OpenRequest checks a compact request JWT. Errors carry invalid_token.
func OpenRequest(token string, aud Origin, nowSecs, maxTTL int64) (Claims, error) { panic("skeleton") }

// NextNonce is max(last+1, createdAt) (Agent Identity 6.2).
func NextNonce(last, createdAt int64) int64 { panic("skeleton") }

// ApplyMaxSeen advances next by a Max-Seen-Nonce header, bounded (Agent Identity 6.2).
func ApplyMaxSeen(next, nowMS int64, header string) (int64, error) { panic("skeleton") }
