package desk

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"akx/view/identity"
)

// SecretKind is what a finding may be.
type SecretKind uint8

// The kinds of findings.
const (
	PrivateKey  SecretKind = iota + 1
	Token                  // of a service, or a signed token
	Password               // a secret behind its name, such as 'password: …'
	URLPassword            // a user name with password, or a token, in a URL
	Mail                   // a mail address
	PrivatePath            // a path that names a user or a machine
	PrivateHost            // a host or address that is not on the internet
	Phone                  // a telephone number
)

var secretWords = [...]string{"", "private key", "token", "password", "password in a URL", "mail address", "private path", "private host", "phone number"}

// String names the kind in words.
func (k SecretKind) String() string {
	if int(k) >= len(secretWords) {
		return ""
	}
	return secretWords[k]
}

// Finding is a place in a draft that may not be meant for the public. The user
// answers each before the draft is signed.
type Finding struct {
	Path string // of the field
	Kind SecretKind
	// Start and End are byte offsets in the field's text; in JSON, in its canonical
	// form, where no escape can hide anything.
	Start int
	End   int
	// Excerpt shows enough to recognize it and hides the rest; clean it before it is shown.
	Excerpt string
	// Mark is the same for the same kind and text in the same field, so that an
	// answer holds while other parts of the draft change.
	Mark string
}

// maxFindings bounds what a scan of one draft lists.
const maxFindings = 200

// Scan looks for secrets and private material in everything that d would make
// public. own are the Agent IDs of the user's keys: a seed of one of them is found
// in any text. Fields in which the protocol wants an ID, a digest or a word of its
// own are not looked at. more is true where there were too many to list.
func (d *Draft) Scan(own []identity.Actor) (findings []Finding, more bool) {
	s := newScanner(own)
	for _, f := range d.Fields(Limits{}) {
		text, ok := d.Text(f.Path)
		if !ok || text == "" || ownForm(f.Path) {
			continue
		}
		if v, ok := parseObject(text); ok && f.Input == JSON {
			text = jsonText(v)
		}
		s.field(f.Path, text)
	}
	return s.findings, s.more
}

// ScanText is Scan for one text.
func ScanText(path, text string, own []identity.Actor) (findings []Finding, more bool) {
	s := newScanner(own)
	s.field(path, text)
	return s.findings, s.more
}

// ownForm reports whether a field takes nothing but an ID, a digest or a word of
// the protocol.
func ownForm(path string) bool {
	switch pattern(path) {
	case kindPath, verdictPath, "/target", "/language", evidencePath + "/*/digest", evidencePath + "/*/role",
		relationsPath + "/*/relation", relationsPath + "/*/target", profilesPath + "/*/profile/digest":
		return true
	}
	return false
}

type scanner struct {
	own      map[identity.Actor]bool
	tried    int // seeds
	findings []Finding
	more     bool

	path  string
	text  string
	first int // findings of this field begin here
}

func newScanner(own []identity.Actor) *scanner {
	s := &scanner{own: make(map[identity.Actor]bool, len(own))}
	for _, a := range own {
		s.own[a] = true
	}
	return s
}

// field runs all rules over one text. Each goes over it once, and looks ahead from
// any place no further than a bound, so that the cost is linear whatever it holds.
func (s *scanner) field(path, text string) {
	s.path, s.text, s.first = path, text, len(s.findings)
	var stood []int
	if strings.ContainsFunc(text, unseen) {
		s.text, stood = visibleText(text)
	}
	s.privateKeys()
	s.keyBodies()
	s.tokens()
	s.botTokens()
	s.seeds()
	s.namedSeeds()
	s.urls()
	s.logins()
	s.assignments()
	s.mails()
	s.spokenMails()
	s.phones()
	s.paths()
	s.homes()
	s.hosts()
	for i := s.first; stood != nil && i < len(s.findings); i++ {
		f := &s.findings[i]
		f.Start, f.End = stood[f.Start], stood[f.End-1]+1
	}
}

// add notes a finding unless a former one covers it.
func (s *scanner) add(kind SecretKind, start, end int, excerpt string) {
	if s.found(start, end) {
		return
	}
	if len(s.findings) >= maxFindings {
		s.more = true
		return
	}
	mark := identity.SHA3([]byte(s.path + "\x00" + kind.String() + "\x00" + s.text[start:end]))
	s.findings = append(s.findings, Finding{
		Path: s.path, Kind: kind, Start: start, End: end, Excerpt: excerpt,
		Mark: base64.RawURLEncoding.EncodeToString(mark[:12]),
	})
}

// found reports whether a finding of this field covers a place.
func (s *scanner) found(start, end int) bool {
	return slices.ContainsFunc(s.findings[s.first:], func(f Finding) bool { return f.Start <= start && end <= f.End })
}

// mask shows the first characters of a secret and its length.
func mask(secret string, shown int) string {
	cut := 0
	for ; shown > 0 && cut < len(secret); shown-- {
		_, size := utf8.DecodeRuneInString(secret[cut:])
		cut += size
	}
	return secret[:cut] + "… (" + plural(utf8.RuneCountInString(secret), "character") + ")"
}

// each calls found with the start of every place where word stands in text; found
// gives where to go on.
func (s *scanner) each(text, word string, found func(at int) (next int)) {
	for from := 0; from < len(text) && !s.more; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return
		}
		from = max(found(from+at), from+at+1)
	}
}

// run gives the end of the run of characters of class from at on, at most most of them.
func run(text string, at, most int, class func(byte) bool) int {
	end := at
	for end < len(text) && end-at < most && class(text[end]) {
		end++
	}
	return end
}

// runBack gives the start of the run of characters of class that ends before at.
func runBack(text string, at, most int, class func(byte) bool) int {
	start := at
	for start > 0 && at-start < most && class(text[start-1]) {
		start--
	}
	return start
}

func isLetter(c byte) bool     { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool      { return c >= '0' && c <= '9' }
func isWord(c byte) bool       { return isLetter(c) || isDigit(c) }
func isURLSafe(c byte) bool    { return isWord(c) || c == '-' || c == '_' }
func isHex(c byte) bool        { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
func isHostChar(c byte) bool   { return isWord(c) || c == '-' || c == '.' }
func isVisible(c byte) bool    { return c > ' ' && c != 0x7f }
func isMailLocal(c byte) bool  { return isWord(c) || strings.IndexByte("._%+-", c) >= 0 }
func isSecretChar(c byte) bool { return isVisible(c) && strings.IndexByte("\"'`,;<>()[]{}|", c) < 0 }
