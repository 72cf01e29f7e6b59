package desk

import (
	"encoding/base64"
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"

	"akx/view/identity"
)

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// keyHeads begin the texts of private keys.
var keyHeads = []string{"PuTTY-User-Key-File-", "AGE-SECRET-KEY-1", "AGE-PLUGIN-"}

// maxKeyText is how far a private key's text is taken to reach.
const maxKeyText = 16 << 10

func (s *scanner) privateKeys() {
	const begin, label = "-----BEGIN ", 80
	s.each(s.text, begin, func(at int) int {
		head := s.text[at:min(len(s.text), at+label)]
		title, _, ok := strings.Cut(head[len(begin):], "-----")
		if !ok || !strings.Contains(title, "PRIVATE KEY") && !strings.Contains(title, "SECRET KEY") {
			return at + len(begin)
		}
		end := min(len(s.text), at+maxKeyText)
		if to := strings.Index(s.text[at:end], "-----END "); to >= 0 {
			end = min(end, at+to+label)
		}
		s.add(PrivateKey, at, end, begin+title+"-----…")
		return end
	})
	for _, head := range keyHeads {
		s.each(s.text, head, func(at int) int {
			end := run(s.text, at, maxKeyText, isVisible)
			s.add(PrivateKey, at, end, head+"…")
			return end
		})
	}
}

// tokenRule is how the tokens of one service look: a head, then characters of a
// class, from least to most of them.
type tokenRule struct {
	head  string
	class func(byte) bool
	least int
	most  int
}

const longToken = 1024

var tokenRules = []tokenRule{
	{"AKIA", isWord, 16, 16}, {"ASIA", isWord, 16, 16},
	{"ghp_", isWord, 36, 255}, {"gho_", isWord, 36, 255}, {"ghu_", isWord, 36, 255}, {"ghs_", isWord, 36, 255}, {"ghr_", isWord, 36, 255},
	{"github_pat_", isURLSafe, 22, 255}, {"glpat-", isURLSafe, 20, 255}, {"gldt-", isURLSafe, 20, 255},
	{"xoxb-", isURLSafe, 10, 255}, {"xoxp-", isURLSafe, 10, 255}, {"xoxa-", isURLSafe, 10, 255}, {"xoxr-", isURLSafe, 10, 255}, {"xapp-", isURLSafe, 10, 255},
	{"sk_live_", isWord, 16, 255}, {"rk_live_", isWord, 16, 255}, {"sk_test_", isWord, 16, 255}, {"whsec_", isWord, 16, 255},
	{"sk-ant-", isURLSafe, 20, 255}, {"sk-proj-", isURLSafe, 20, 255}, {"sk-", isWord, 32, 255},
	{"AIza", isURLSafe, 35, 35}, {"ya29.", isURLSafe, 20, longToken}, {"npm_", isWord, 36, 36}, {"pypi-", isURLSafe, 50, longToken},
	{"hf_", isWord, 30, 64}, {"dop_v1_", isHex, 64, 64}, {"SG.", isHostOrSafe, 60, 80}, {"shpat_", isHex, 32, 32}, {"dckr_pat_", isURLSafe, 20, 64},
	{"hooks.slack.com/services/", isPathPart, 20, 255}, {"discord.com/api/webhooks/", isPathPart, 20, 255}, {"discordapp.com/api/webhooks/", isPathPart, 20, 255},
	{"AccountKey=", isBase64, 40, 255}, {"SharedAccessKey=", isBase64, 40, 255},
	{"vault:v1:", isBase64, 20, longToken}, {"hvs.", isURLSafe, 24, 255}, {"lin_api_", isWord, 32, 64}, {"figd_", isURLSafe, 32, 64},
}

func isPathPart(c byte) bool   { return isURLSafe(c) || c == '/' }
func isHostOrSafe(c byte) bool { return isURLSafe(c) || c == '.' }
func isBase64(c byte) bool     { return isWord(c) || c == '+' || c == '/' || c == '=' }

func (s *scanner) tokens() {
	for _, rule := range tokenRules {
		s.each(s.text, rule.head, func(at int) int {
			from := at + len(rule.head)
			end := run(s.text, from, rule.most+1, rule.class)
			if at > 0 && isURLSafe(s.text[at-1]) || end-from < rule.least || end-from > rule.most {
				return from
			}
			s.add(Token, at, end, mask(s.text[at:end], len(rule.head)))
			return end
		})
	}
	s.signedTokens()
	s.headers()
}

// signedTokens finds JSON Web Tokens: three runs of base64url, two of which begin
// as an object does.
func (s *scanner) signedTokens() {
	s.each(s.text, "eyJ", func(at int) int {
		if at > 0 && isURLSafe(s.text[at-1]) {
			return at + 3
		}
		end := run(s.text, at, longToken, isURLSafe)
		if !strings.HasPrefix(s.text[end:], ".eyJ") {
			return end
		}
		end = run(s.text, end+1, 4*longToken, isURLSafe)
		if end < len(s.text) && s.text[end] == '.' {
			end = run(s.text, end+1, longToken, isURLSafe)
		}
		s.add(Token, at, end, mask(s.text[at:end], 3))
		return end
	})
}

// headers finds what stands behind an HTTP authorization scheme.
func (s *scanner) headers() {
	folded := foldASCII(s.text)
	for _, head := range []string{"bearer ", "authorization: basic ", "authorization: token "} {
		s.each(folded, head, func(at int) int {
			from := at + len(head)
			end := run(s.text, from, longToken, func(c byte) bool { return isBase64(c) || isHostOrSafe(c) || c == '~' })
			if end-from >= 16 && strings.ContainsAny(s.text[from:end], "0123456789") || basic(head, s.text[from:end]) {
				s.add(Token, from, end, mask(s.text[from:end], 2))
			}
			return end
		})
	}
}

// basic reports whether what stands behind the scheme Basic is a name and a password: in
// base64, with a colon between.
func basic(head, value string) bool {
	if !strings.HasSuffix(head, " basic ") {
		return false
	}
	pair, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	return err == nil && len(pair) > 2 && strings.IndexByte(string(pair), ':') > 0
}

func foldASCII(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// maxSeeds bounds how many possible seeds are tried: each costs a multiplication.
const maxSeeds = 2000

// seeds finds the seeds of the user's own keys. Digests and IDs look the same, so
// nothing else of that form is a finding.
func (s *scanner) seeds() {
	if len(s.own) == 0 {
		return
	}
	for at := 0; at < len(s.text) && !s.more; {
		end := run(s.text, at, len(s.text), isURLSafe)
		if seed, ok := seedOf(s.text[at:end]); ok && s.tried < maxSeeds {
			s.tried++
			key := identity.NewKey(seed)
			if s.own[key.Actor()] {
				s.add(PrivateKey, at, end, "the key of one of your Agent IDs")
			}
			key.Wipe()
		}
		at = end + 1
	}
}

func seedOf(word string) (seed [32]byte, ok bool) {
	var b []byte
	var err error
	switch len(word) {
	case 64:
		b, err = hex.DecodeString(word)
	case 43:
		b, err = base64.RawURLEncoding.DecodeString(word)
	}
	if err != nil || len(b) != len(seed) {
		return seed, false
	}
	return [32]byte(b), true
}

// urlKeys name values of a URL's query that give access.
var urlKeys = []string{"access_token", "api_key", "apikey", "auth", "client_secret", "key", "password", "passwd", "secret", "sig", "signature",
	"token", "x-amz-signature", "x-amz-security-token", "x-goog-signature"}

func (s *scanner) urls() {
	const longHost, longURL = 512, 4096
	inURL := func(c byte) bool { return isVisible(c) && strings.IndexByte("\"'`<>", c) < 0 }
	inHost := func(c byte) bool { return inURL(c) && strings.IndexByte("/?#", c) < 0 }
	looked := 0 // queries up to here were looked at
	s.each(s.text, "://", func(at int) int {
		start := runBack(s.text, at, 32, func(c byte) bool { return isWord(c) || c == '+' || c == '.' || c == '-' })
		from := at + len("://")
		end := run(s.text, from, longHost, inHost)
		if user, host, ok := strings.Cut(s.text[from:end], "@"); ok {
			if name, password, ok := strings.Cut(user, ":"); ok && password != "" && !placeholder(password) {
				if name != "" {
					name = mask(name, 1)
				}
				s.add(URLPassword, start, end, s.text[start:from]+name+":…@"+short(host))
			}
		}
		s.innerHost(s.text[start:at], s.text[from:end], from)
		if at >= looked {
			looked = run(s.text, end, longURL, inURL)
			s.query(end, s.text[end:looked])
		}
		return end
	})
}

// query looks at the names in front of the values of a URL's query.
func (s *scanner) query(base int, rest string) {
	at := strings.IndexByte(rest, '?')
	for at >= 0 && at < len(rest) && !s.more {
		at++
		end := len(rest)
		if next := strings.IndexAny(rest[at:], "&#;"); next >= 0 {
			end = at + next
		}
		name, value, _ := strings.Cut(rest[at:end], "=")
		for _, key := range urlKeys {
			if len(value) >= 8 && foldASCII(name) == key && !placeholder(value) {
				s.add(URLPassword, base+at, base+end, short(name)+"="+mask(value, 2))
			}
		}
		at = end
	}
}

// secretNames stand in front of secrets, with ':' or '=' between. Longer names come
// before those that are a part of them.
var secretNames = []string{"client_secret", "secret_key", "access_key", "private_key", "auth_token", "access_token", "api_key", "api-key", "apikey",
	"secret key", "access key", "private key", "api key",
	"password", "passwd", "passphrase", "pwd", "secret", "token", "密码", "口令", "密碼", "パスワード", "비밀번호", "пароль", "Пароль",
	"passwort", "kennwort", "wachtwoord", "mot de passe", "contraseña", "senha", "hasło", "lösenord"}

func (s *scanner) assignments() {
	folded := foldASCII(s.text)
	for _, name := range secretNames {
		s.each(folded, name, func(at int) int {
			from := at + len(name)
			from = run(s.text, from, 2, func(c byte) bool { return c == '"' || c == '\'' || c == '`' })
			from = run(s.text, from, 4, func(c byte) bool { return c == ' ' })
			wide := strings.HasPrefix(s.text[from:], "：")
			switch {
			case wide:
				from += len("：")
			case from < len(s.text) && (s.text[from] == ':' || s.text[from] == '='):
				from++
			default:
				s.spoken(name, at, at+len(name))
				return at + len(name)
			}
			if quote := run(s.text, from, 4, func(c byte) bool { return c == ' ' }); quote < len(s.text) && strings.IndexByte("\"'`", s.text[quote]) >= 0 {
				s.quoted(name, at, quote)
			}
			from = run(s.text, from, 4, func(c byte) bool { return c == ' ' || c == '"' || c == '\'' || c == '`' })
			end := run(s.text, from, 256, isSecretChar)
			value := strings.TrimRight(s.text[from:end], ".:!?")
			if (likeSecret(value) || setTight(name, s.text[at:end], value)) && !s.found(from, from+len(value)) {
				s.add(Password, at, from+len(value), s.text[at:at+len(name)]+": "+mask(value, 1))
			}
			return max(end, at+len(name))
		})
	}
}

// setTight takes any value that a line of settings gives to a password or a token, with
// no blank around the sign: prose does not write so.
func setTight(name, text, value string) bool {
	sign := strings.IndexByte(text, '=')
	return sign == len(name) && len(text) > sign+1 && text[sign+1] != ' ' && len(value) >= 3 && !placeholder(value)
}

// likeSecret tells a secret from a word of prose behind a colon: it is long enough
// and has a digit or a sign, or letters of both cases inside.
func likeSecret(value string) bool {
	if len(value) < 6 || placeholder(value) {
		return false
	}
	signs, upper, lower := false, false, false
	for i := range len(value) {
		c := value[i]
		signs = signs || isDigit(c) || !isWord(c) && c < 0x80 && c != '-' && c != '_' && c != '/' && c != '.'
		upper = upper || i > 0 && c >= 'A' && c <= 'Z'
		lower = lower || c >= 'a' && c <= 'z'
	}
	return signs || upper && lower
}

// placeholder reports whether a value stands for one that is not there.
func placeholder(value string) bool {
	folded := foldASCII(strings.Trim(value, "\"'`"))
	if folded == "" || strings.ContainsAny(folded[:1], "<$%{*[") || strings.Trim(folded, "x*.-_…") == "" || strings.Contains(folded, "://") {
		return true
	}
	for _, word := range []string{"example", "your", "changeme", "placeholder", "redacted", "dummy", "none", "null", "true", "false"} {
		if strings.HasPrefix(folded, word) {
			return true
		}
	}
	return false
}

func (s *scanner) mails() {
	s.each(s.text, "@", func(at int) int {
		start := runBack(s.text, at, 64, isMailLocal)
		end := run(s.text, at+1, 253, isHostChar)
		domain := strings.TrimRight(s.text[at+1:end], ".-")
		end = at + 1 + len(domain)
		dot := strings.LastIndexByte(domain, '.')
		if start == at || dot < 1 || reservedDomain(domain) || s.text[start:at] == "git" {
			return at + 1
		}
		if top := domain[dot+1:]; len(top) < 2 || run(top, 0, len(top), isLetter) != len(top) {
			return at + 1
		}
		s.add(Mail, start, end, s.text[start:start+1]+"…@"+short(domain))
		return end
	})
}

// reservedDomain reports whether a domain belongs to nobody (RFC 2606, RFC 6761).
func reservedDomain(domain string) bool {
	domain = foldASCII(domain)
	for _, end := range []string{"example.com", "example.org", "example.net", "example", "test", "invalid"} {
		if domain == end || strings.HasSuffix(domain, "."+end) {
			return true
		}
	}
	return false
}

// privateTops end the names of hosts that are not on the internet.
var privateTops = []string{".local", ".internal", ".intranet", ".lan", ".corp", ".home.arpa", ".localdomain", ".localhost"}

func (s *scanner) hosts() {
	for at := 0; at < len(s.text) && !s.more; {
		end := run(s.text, at, len(s.text), isHostChar)
		if end == at {
			at++
			continue
		}
		word := strings.Trim(s.text[at:end], ".-")
		from := at + strings.Index(s.text[at:end], word)
		if word != "" && len(word) <= 253 && s.privateHost(word, from) {
			s.add(PrivateHost, from, from+len(word), short(word))
		}
		at = end
	}
	s.addresses6()
}

func (s *scanner) privateHost(word string, at int) bool {
	if isDigit(word[0]) {
		address, err := netip.ParseAddr(word)
		return err == nil && private(address) && !numbered(s.text[:at])
	}
	folded := foldASCII(word)
	if folded == "localhost" {
		before, behind := s.text[:at], s.text[at+len(word):]
		return strings.HasSuffix(before, "://") || strings.HasSuffix(before, "@") || len(behind) > 1 && behind[0] == ':' && isDigit(behind[1])
	}
	for _, top := range privateTops {
		if strings.HasSuffix(folded, top) {
			return true
		}
	}
	return false
}

var sharedSpace = netip.MustParsePrefix("100.64.0.0/10")

func private(a netip.Addr) bool {
	return a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || sharedSpace.Contains(a)
}

// addresses6 finds private IPv6 addresses.
func (s *scanner) addresses6() {
	class := func(c byte) bool { return isHex(c) || c == ':' }
	for at := 0; at < len(s.text) && !s.more; {
		end := run(s.text, at, len(s.text), class)
		if end-at >= 3 && end-at <= 39 && strings.Count(s.text[at:end], ":") >= 2 {
			if a, err := netip.ParseAddr(s.text[at:end]); err == nil && private(a) {
				s.add(PrivateHost, at, end, s.text[at:end])
			}
		}
		at = end + 1
	}
}
