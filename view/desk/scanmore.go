package desk

import (
	"strings"
	"unicode/utf8"
)

// unseen reports whether a character takes no room and joins nothing: a secret with one
// inside is still that secret to whoever copies it without.
func unseen(r rune) bool {
	return r == '\u200b' || r == '\u2060' || r == '\ufeff' || r == '\u00ad'
}

// visibleText gives text without unseen characters, and where each of its bytes stood.
func visibleText(text string) (out string, at []int) {
	var b strings.Builder
	for i, r := range text {
		if unseen(r) {
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		for k := range size {
			at = append(at, i+k)
		}
		b.WriteString(text[i : i+size])
	}
	return b.String(), at
}

// keyBodies begin the bodies of Ed25519 keys that stand without their header: PKCS#8,
// with and without the public key, and OpenSSH.
var keyBodies = []string{"MC4CAQAwBQYDK2VwBCIE", "MFMCAQEwBQYDK2VwBCIE", "MFECAQEwBQYDK2VwBCIE", "b3BlbnNzaC1rZXktdjE"}

func (s *scanner) keyBodies() {
	const least = 40
	for _, head := range keyBodies {
		s.each(s.text, head, func(at int) int {
			end := run(s.text, at, maxKeyText, isBase64)
			if end-at-len(head) >= least {
				s.add(PrivateKey, at, end, mask(s.text[at:end], 8))
			}
			return end
		})
	}
}

// seedWords name a seed or a private key in front of it.
var seedWords = []string{"seed", "private key", "privatekey", "private_key", "privkey", "secret key", "secret_key", "signing key", "signing_key"}

// namedSeeds finds what has the form of a seed and is called one. Digests and IDs have
// the same form, and are not.
func (s *scanner) namedSeeds() {
	const reach = 32
	for at := 0; at < len(s.text) && !s.more; {
		end := run(s.text, at, len(s.text), isURLSafe)
		if _, ok := seedOf(s.text[at:end]); ok {
			before := foldASCII(s.text[max(at-reach, 0):at])
			if line := strings.LastIndexByte(before, '\n'); line >= 0 {
				before = before[line:]
			}
			for _, word := range seedWords {
				if strings.Contains(before, word) && !strings.HasSuffix(before, "agent:") {
					s.add(PrivateKey, at, end, mask(s.text[at:end], 4))
				}
			}
		}
		at = end + 1
	}
}

// botTokens finds tokens of Telegram bots: a number, a colon and 35 characters.
func (s *scanner) botTokens() {
	s.each(s.text, ":AA", func(at int) int {
		start := runBack(s.text, at, 12, isDigit)
		end := run(s.text, at+1, 40, isURLSafe)
		if at-start >= 8 && end-at-1 == 35 {
			s.add(Token, start, end, mask(s.text[start:end], 2))
		}
		return end
	})
}

// spokenMails finds mail addresses whose sign is written as a word in brackets.
func (s *scanner) spokenMails() {
	folded := foldASCII(s.text)
	blank := func(c byte) bool { return c == ' ' }
	for _, sign := range []string{"[at]", "(at)", "{at}", "<at>"} {
		s.each(folded, sign, func(at int) int {
			local := runBack(s.text, at, 2, blank)
			start := runBack(s.text, local, 64, isMailLocal)
			from := run(s.text, at+len(sign), 2, blank)
			end := run(s.text, from, 253, isHostChar)
			dot := strings.TrimLeft(folded[end:min(end+8, len(folded))], " ")
			spoken := strings.HasPrefix(dot, "[dot]") || strings.HasPrefix(dot, "(dot)")
			domain := strings.TrimRight(s.text[from:end], ".-")
			if start < local && domain != "" && (spoken || strings.Contains(domain, ".")) && !reservedDomain(domain) {
				s.add(Mail, start, from+len(domain), s.text[start:start+1]+"… "+sign+" "+short(domain))
			}
			return at + len(sign)
		})
	}
}

// phones finds telephone numbers in their international form.
func (s *scanner) phones() {
	s.each(s.text, "+", func(at int) int {
		end := run(s.text, at+1, 24, func(c byte) bool { return isDigit(c) || strings.IndexByte(" -()/.", c) >= 0 })
		end = at + len(strings.TrimRight(s.text[at:end], " -()/."))
		digits := 0
		for i := at; i < end; i++ {
			if isDigit(s.text[i]) {
				digits++
			}
		}
		number := at+1 < len(s.text) && s.text[at+1] >= '1' && s.text[at+1] <= '9'
		if number && digits >= 9 && digits <= 15 && (at == 0 || !isWord(s.text[at-1])) && (end == len(s.text) || !isWord(s.text[end])) {
			s.add(Phone, at, end, mask(s.text[at:end], 3))
		}
		return max(end, at+1)
	})
}

// pathHeads begin paths whose next part is a user's name; those that name a place
// by themselves need nothing behind them.
var pathHeads = []string{"/home/", "/Users/", `:\Users\`, `:\\Users\\`, "/var/home/", "/root/", "~/.ssh", "~/.aws", "~/.gnupg", "~/.kube", "/mnt/", "/Volumes/", "file:///"}

func (s *scanner) paths() {
	for _, head := range pathHeads {
		s.each(s.text, head, func(at int) int {
			from := at + len(head)
			end := run(s.text, from, 512, isSecretChar)
			value := strings.TrimRight(s.text[from:end], ".:!?")
			if at > 0 && isWord(s.text[at-1]) && head[0] == '/' && !strings.HasPrefix(head, "/root") {
				return from // a part of a URL or of another path
			}
			if head[0] == '~' || value != "" && !placeholder(value) {
				name, _, below := strings.Cut(value, "/")
				start, shown := at, head
				if head[0] == ':' && at > 0 && isLetter(s.text[at-1]) {
					start, shown = at-1, s.text[at-1:at]+head
				}
				switch {
				case name != "":
					shown += mask(name, 1)
				case below:
					shown += "/…"
				}
				s.add(PrivatePath, start, from+len(value), shown)
			}
			return max(end, from)
		})
	}
}

// homes finds paths in one's own or another user's home, and shares of a server.
func (s *scanner) homes() {
	s.each(s.text, "~", func(at int) int {
		end := run(s.text, at+1, 32, isURLSafe)
		// A folder right below one's own home is what everybody has.
		folder := run(s.text, min(end+1, len(s.text)), 64, isURLSafe)
		own := end == at+1 && folder > end+1 && folder+1 < len(s.text) && s.text[folder] == '/' && isURLSafe(s.text[folder+1])
		if (own || end > at+1 && isLetter(s.text[at+1])) && end < len(s.text) && s.text[end] == '/' && (at == 0 || !isWord(s.text[at-1]) && s.text[at-1] != '/') {
			rest := run(s.text, end, 512, isSecretChar)
			rest = at + len(strings.TrimRight(s.text[at:rest], ".:!?"))
			shown := "~/" + mask(s.text[end+1:rest], 1)
			if !own {
				shown = "~" + mask(s.text[at+1:end], 1)
			}
			s.add(PrivatePath, at, rest, shown)
		}
		return max(end, at+1)
	})
	s.each(s.text, `\\`, func(at int) int {
		end := run(s.text, at+2, 64, isHostChar)
		share := run(s.text, min(end+1, len(s.text)), 64, isURLSafe)
		if end-at-2 >= 2 && end < len(s.text) && s.text[end] == '\\' && share > end+1 && (at == 0 || s.text[at-1] != '\\' && s.text[at-1] != ':') {
			s.add(PrivatePath, at, share, `\\`+mask(s.text[at+2:end], 1))
		}
		return max(end, at+2)
	})
}

// innerHost finds the host of a web address that has but one label: such names exist
// inside of a network alone. base is where host stands.
func (s *scanner) innerHost(scheme, host string, base int) {
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		base, host = base+at+1, host[at+1:]
	}
	host, _, _ = strings.Cut(host, ":")
	folded := foldASCII(host)
	web := strings.HasPrefix(foldASCII(scheme), "http")
	if !web || len(host) < 2 || !isLetter(host[0]) || run(host, 0, len(host), isURLSafe) != len(host) ||
		folded == "localhost" || strings.ToUpper(host) == host || reservedDomain(folded) || placeholder(host) || strings.HasPrefix(folded, "host") {
		return
	}
	s.add(PrivateHost, base, base+len(host), short(host))
}

// numbered reports whether what stands before a number of four parts says that it
// counts something, such as sections.
func numbered(before string) bool {
	before = strings.TrimRight(foldASCII(before[max(len(before)-12, 0):]), " ")
	for _, word := range []string{"section", "sections", "sec.", "chapter", "version", "release", "table", "figure", "appendix", "step", "§", "§§"} {
		if strings.HasSuffix(before, word) {
			return true
		}
	}
	return false
}

// spokenSecret takes a value that stands behind a secret's name and a word, or nothing
// but a blank, where the assignments have a sign: it has both letters and digits, or
// letters of both cases inside.
func spokenSecret(value string) bool {
	digit, letter, upper, lower := false, false, false, false
	for i := range len(value) {
		c := value[i]
		digit, letter = digit || isDigit(c), letter || isLetter(c)
		upper, lower = upper || i > 0 && c >= 'A' && c <= 'Z', lower || c >= 'a' && c <= 'z'
	}
	return len(value) >= 6 && !placeholder(value) && letter && (digit || upper && lower)
}

// spoken finds secrets in sentences and in files that put a blank behind the name.
func (s *scanner) spoken(name string, at, from int) {
	plain := from
	from = run(s.text, from, 4, func(c byte) bool { return c == ' ' })
	if from == plain {
		return
	}
	word := false
	for _, verb := range []string{"is ", "was ", "are ", "ist ", "war ", "es ", "est "} {
		if rest := s.text[from:]; strings.HasPrefix(rest, verb) {
			from, word = from+len(verb), true
			break
		}
	}
	if !word && name != "password" && name != "passwd" && name != "passphrase" && name != "pwd" {
		return
	}
	if from < len(s.text) && strings.IndexByte("\"'`", s.text[from]) >= 0 {
		s.quoted(name, at, from)
		return
	}
	end := run(s.text, from, 256, isSecretChar)
	value := strings.TrimRight(s.text[from:end], ".:!?")
	if spokenSecret(value) {
		s.add(Password, at, from+len(value), s.text[at:at+len(name)]+": "+mask(value, 1))
	}
}

// quoted takes what stands in quotes behind a secret's name: there it may have blanks.
func (s *scanner) quoted(name string, at, quote int) {
	end := strings.IndexByte(s.text[quote+1:min(quote+258, len(s.text))], s.text[quote])
	if end < 0 {
		return
	}
	value := s.text[quote+1 : quote+1+end]
	phrase := len(value) >= 8 && strings.Contains(value, " ") && strings.HasPrefix(name, "pass") && !placeholder(value)
	if phrase || spokenSecret(value) {
		s.add(Password, at, quote+2+end, s.text[at:at+len(name)]+": "+mask(value, 1))
	}
}

// logins finds the lines of a netrc file: login NAME password SECRET.
func (s *scanner) logins() {
	folded := foldASCII(s.text)
	blank := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	s.each(folded, "login ", func(at int) int {
		name := run(s.text, at, 8, isLetter)
		name = run(s.text, name, 8, blank)
		end := run(s.text, name, 64, isSecretChar)
		from := run(s.text, end, 8, blank)
		word, ok := strings.CutPrefix(folded[from:], "password")
		if end == name || from == end || !ok || word == "" || !blank(word[0]) {
			return at + len("login ")
		}
		from = run(s.text, from+len("password"), 8, blank)
		if to := run(s.text, from, 256, isSecretChar); to > from && !placeholder(s.text[from:to]) {
			s.add(Password, at, to, s.text[at:at+len("login")]+"… password: "+mask(s.text[from:to], 1))
		}
		return at + len("login ")
	})
}
