package keyring

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"

	"akx/view/fault"
	"akx/view/identity"
)

// Sizes of format 1, in bytes.
const (
	maxFile     = 4 << 10
	saltBytes   = 16
	nonceBytes  = 24
	sealedBytes = 32 + 16 // seed and tag
)

const (
	magic   = "akx-key "
	version = "1"
	sumWord = "sum "
)

// keyFile is a key file in format 1; see the package comment.
type keyFile struct {
	name    string
	actor   identity.Actor
	created int64 // ms
	cost    Cost
	salt    [saltBytes]byte
	nonce   [nonceBytes]byte
	sealed  [sealedBytes]byte
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// header gives the lines that are authenticated with the seed.
func (f *keyFile) header() []byte {
	var b bytes.Buffer
	b.WriteString(magic + version)
	b.WriteString("\nname " + f.name)
	b.WriteString("\nactor " + f.actor.String())
	b.WriteString("\ncreated " + strconv.FormatInt(f.created, 10))
	b.WriteString("\nkdf argon2id time=" + strconv.FormatUint(uint64(f.cost.Time), 10))
	b.WriteString(" memory=" + strconv.FormatUint(uint64(f.cost.Memory), 10))
	b.WriteString(" threads=" + strconv.FormatUint(uint64(f.cost.Threads), 10))
	b.WriteString(" salt=" + encode(f.salt[:]))
	b.WriteString("\ncipher xchacha20-poly1305 nonce=" + encode(f.nonce[:]))
	b.WriteString("\n")
	return b.Bytes()
}

// text gives the whole file.
func (f *keyFile) text() []byte {
	b := append(f.header(), "data "+encode(f.sealed[:])+"\n"...)
	sum := identity.SHA3(b)
	return append(b, sumWord+encode(sum[:])+"\n"...)
}

// parseKeyFile reads a key file; path is for its errors. Any byte that is not as it
// was written gives a *fault.Damaged, with code newer_format where the file is
// whole and of a format that this akx does not know.
func parseKeyFile(path string, text []byte) (*keyFile, error) {
	if len(text) > maxFile {
		return nil, damaged(path, "it is too large for a key file")
	}
	if !wholeSum(text) {
		return nil, damaged(path, "its check sum does not fit")
	}
	if first, _, _ := bytes.Cut(text, []byte("\n")); string(first) != magic+version {
		if bytes.HasPrefix(first, []byte(magic)) {
			return nil, &fault.Damaged{
				Code: fault.NewerFormat, What: path, Detail: "a newer akx wrote this key file", Hint: "use that akx",
			}
		}
		return nil, damaged(path, "it is not a key file of akx")
	}
	f, ok := parseLines(string(text))
	if !ok || CheckName(f.name) != nil || !f.cost.valid() || !bytes.Equal(f.text(), text) {
		return nil, damaged(path, "its lines are not those of a key file")
	}
	return f, nil
}

// wholeSum checks the last line over all lines above it.
func wholeSum(text []byte) bool {
	at := bytes.LastIndex(text, []byte("\n"+sumWord))
	if at < 0 {
		return false
	}
	body := text[:at+1]
	sum := identity.SHA3(body)
	return string(text[at+1:]) == sumWord+encode(sum[:])+"\n"
}

// parseLines takes the values out of the lines. It leaves the spelling to the
// caller, who writes the file again and compares.
func parseLines(text string) (*keyFile, bool) {
	f := new(keyFile)
	var salt, nonce, sealed string
	lines := strings.Split(text, "\n")
	words := [...]struct {
		before string
		read   func(value string) bool
	}{
		{magic, func(string) bool { return true }},
		{"name ", func(v string) bool { f.name = v; return true }},
		{"actor ", func(v string) (ok bool) {
			var err error
			f.actor, err = identity.ParseActor(v)
			return err == nil
		}},
		{"created ", func(v string) (ok bool) {
			var err error
			f.created, err = strconv.ParseInt(v, 10, 64)
			return err == nil
		}},
		{"kdf argon2id time=", func(v string) (ok bool) {
			f.cost, salt, ok = parseCost(v)
			return ok
		}},
		{"cipher xchacha20-poly1305 nonce=", func(v string) bool { nonce = v; return true }},
		{"data ", func(v string) bool { sealed = v; return true }},
	}
	if len(lines) < len(words) {
		return nil, false
	}
	for i, w := range words {
		value, ok := strings.CutPrefix(lines[i], w.before)
		if !ok || !w.read(value) {
			return nil, false
		}
	}
	ok := decodeInto(f.salt[:], salt) && decodeInto(f.nonce[:], nonce) && decodeInto(f.sealed[:], sealed)
	return f, ok
}

func parseCost(s string) (c Cost, salt string, ok bool) {
	times, rest, _ := strings.Cut(s, " memory=")
	memory, rest, _ := strings.Cut(rest, " threads=")
	threads, salt, ok := strings.Cut(rest, " salt=")
	t, err1 := strconv.ParseUint(times, 10, 32)
	m, err2 := strconv.ParseUint(memory, 10, 32)
	p, err3 := strconv.ParseUint(threads, 10, 8)
	c = Cost{Time: uint32(t), Memory: uint32(m), Threads: uint8(p)}
	return c, salt, ok && err1 == nil && err2 == nil && err3 == nil
}

func decodeInto(dst []byte, s string) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(b) == len(dst) && copy(dst, b) == len(dst)
}
