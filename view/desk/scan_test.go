package desk

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"akx/view/capsule"
	"akx/view/identity"
)

// Test tokens are put together here, so that no scanner of repositories takes this
// file for a leak.
const filler = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"

func TestScanFinds(t *testing.T) {
	jwt := "eyJhbGciOiJFZERTQSJ9." + "eyJpc3MiOiJ4In0." + filler
	for text, kind := range map[string]SecretKind{
		"-----BEGIN " + "OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----": PrivateKey,
		"-----BEGIN " + "PRIVATE KEY-----\nMC4C":                                                    PrivateKey,
		"-----BEGIN " + "PGP PRIVATE KEY BLOCK-----":                                                PrivateKey,
		"AGE-SECRET-KEY-1" + strings.ToUpper(filler):                                                PrivateKey,
		"PuTTY-User-Key-File-" + "3: ssh-ed25519":                                                   PrivateKey,
		"use AKIA" + "IOSFODNN7EXAMPLE here":                                                        Token,
		"ghp_" + filler[:36]:                                                                        Token,
		"(github_pat_" + filler + ")":                                                               Token,
		"glpat-" + filler[:20]:                                                                      Token,
		"xoxb-" + "1234567890-abc":                                                                  Token,
		"sk-ant-" + filler:                                                                          Token,
		"sk-" + filler[:48]:                                                                         Token,
		"AIza" + filler[:35]:                                                                        Token,
		"hf_" + filler[:34]:                                                                         Token,
		"sk_live_" + filler[:24]:                                                                    Token,
		jwt:                                                                                         Token,
		"Authorization: Bearer " + filler[:30]:                                                      Token,
		"authorization: basic " + "dXNlcjpwYXNzd29yZDEy":                                            Token,
		"Authorization: Basic YTpiYg==":                                                             Token,
		"TOKEN=zzz":                                                                                 Password,
		"machine h login u password p":                                                              Password,
		"machine h\n  login ann\n  password longer":                                                 Password,
		"see ~/notes/x.txt":                                                                         PrivatePath,
		"password: hunter2!":                                                                        Password,
		"PASSWORD=Hunter2x":                                                                         Password,
		`{"api_key": "a1b2c3d4e5"}`:                                                                 Password,
		"密码：abc12345":                                                                               Password,
		"client_secret = 'Zz9-yyyy'":                                                                Password,
		"postgres://ann:s3cret@db.example.org/x":                                                    URLPassword,
		"https://example.org/?access_token=abcdef123456":                                            URLPassword,
		"https://b.example.org/x?a=1&X-Amz-Signature=0123456789abcdef":                              URLPassword,
		"write to ann.lee@uni-example.edu today":                                                    Mail,
		"Ann <ann@example.co.uk>":                                                                   Mail,
		"see /home/ann/data.csv":                                                                    PrivatePath,
		"/Users/ann/Desktop":                                                                        PrivatePath,
		`C:\Users\ann\x`:                                                                            PrivatePath,
		"cat ~/.ssh/id_ed25519":                                                                     PrivatePath,
		"file:///etc/hosts":                                                                         PrivatePath,
		"on 192.168.1.17":                                                                           PrivateHost,
		"10.0.0.1:8080":                                                                             PrivateHost,
		"http://localhost:3000/x":                                                                   PrivateHost,
		"localhost:5432":                                                                            PrivateHost,
		"build.corp.internal":                                                                       PrivateHost,
		"nas.local":                                                                                 PrivateHost,
		"fe80::1":                                                                                   PrivateHost,
		"[fd12:3456::1]":                                                                            PrivateHost,
		"100.64.3.4":                                                                                PrivateHost,
		"MC4CAQAwBQYDK2Vw" + "BCIE" + filler[:44]:                                                   PrivateKey,
		"b3BlbnNzaC1rZXkt" + "djEAAAAABG5vbmU" + filler:                                             PrivateKey,
		"the seed is " + strings.Repeat("0123456789abcdef", 4):                                      PrivateKey,
		"private key: " + filler[:43]:                                                               PrivateKey,
		"https://hooks.slack.com/" + "services/T00000000/B00000000/" + filler[:24]: Token,
		"https://discord.com/api/" + "webhooks/123456789012345678/" + filler:       Token,
		"bot123456789:AA" + filler[:33]:                                            Token,
		"AccountName=x;Account" + "Key=" + filler[:60] + "==":                      Token,
		"gh" + "p_" + filler[:10] + "\u200b" + filler[10:36]:                       Token,
		"machine x login ann password abc123":                                      Password,
		"The password is Hunter22x.":                                               Password,
		"the secret key was wJalrXUtnFEMI":                                         Password,
		`the passphrase is "correct horse battery"`:                                Password,
		`passphrase: "correct horse battery"`:                                      Password,
		"Passwort: Hund4Katze":                                                     Password,
		"contraseña: abc12345":                                                     Password,
		"Пароль: abc12345":                                                         Password,
		"redis://:s3cretpass@db.example.org":                                       URLPassword,
		"write to ann [at] uni.de":                                                 Mail,
		"ann (at) uni (dot) de":                                                    Mail,
		"see ~ann/data.csv":                                                        PrivatePath,
		`on \\server\share\x`:                                                      PrivatePath,
		"/mnt/nas/runs":                                                            PrivatePath,
		"http://jenkins:8080/job":                                                  PrivateHost,
		"call +49 170 1234567 today":                                               Phone,
	} {
		findings, more := ScanText("/statement", text, nil)
		if len(findings) == 0 || more {
			t.Errorf("%q: nothing found", text)
			continue
		}
		f := findings[0]
		if f.Kind != kind || f.Path != "/statement" || f.Start < 0 || f.End > len(text) || f.Start >= f.End || f.Excerpt == "" || f.Mark == "" || f.Kind.String() == "" || strings.Contains(f.Excerpt, "(0 ") {
			t.Errorf("%q: %+v", text, f)
		}
		if kind <= URLPassword && len(findings) > 1 {
			t.Errorf("%q: found %d times: %+v", text, len(findings), findings)
		}
	}
}

func TestScanLeavesAlone(t *testing.T) {
	id, actor := code(1), identity.TestKey(0x21).Actor().String()
	for _, text := range []string{
		"", "Two requests use the same user ID.", "The capsule " + id + " by " + actor + " says so.",
		strings.Repeat("0123456789abcdef", 4), "sha256:" + strings.Repeat("ab", 32), "token: a word in a sentence", "password: required",
		"The password is checked twice.", "secret = <your-secret-1>", "API_KEY=$API_KEY1", "token: ${TOKEN_1}", "password: xxxxxxxx", "password: ********",
		"password=your_password1", "passphrase: example-1", "git@github.com:o/r.git", "ann@example.com", "x@mail.example.org", "a@b", "@user",
		"lodash@4.17.21", "https://example.org/home/ann/x", "/home/", "/home/<name>/x", "https://example.org/@ann", "version 1.2.3.4", "8.8.8.8", "10.300.1.1",
		"localhost is a name", "the local host", "internal", ".local", "std::vector", "12:30:45", "::", "https://example.org/?q=cache&page=2",
		"https://example.org/?key=short", "https://user@example.org/", "-----BEGIN CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----", "-----BEGIN ", "sk-learn", "sk-",
		"task-" + filler, "AKIA", "XAKIA" + filler[:16], "eyJ", "eyJhbGciOiJ9", "hf_short", "bearer of news", "Basic English", "tokens: 12", "两次请求返回同一种语言",
		"the tokenizer: BPE2", "keyword: x", "http://", "://", "ratio 3:4", "a::b", "#fade", "fd::", "C:\\Users\\", "~/projects",
		"Section 10.1.2.3 says so", "version 10.2.3.4", "https://example/x", "https://HOST/x", "http://host:80", "1 + 2000000000 = x", "C++ 11", "x+15551234567",
		"https://uni.de/~ann/paper", "~5/10", "the password is checked twice", "a password for 12 users", "the token is a word", "the secret is out",
		"the public key " + filler[:43], "seed 42", "\\alpha", "in the seed of " + actor, "look [at] this",
	} {
		if findings, more := ScanText("/statement", text, nil); len(findings) != 0 && text != "fd::" || more {
			t.Errorf("%q: %+v", text, findings)
		}
	}
}

func TestScanFindsOwnKeys(t *testing.T) {
	seed := bytes.Repeat([]byte{3, 4}, 16)
	key := identity.NewKey([32]byte(seed))
	own := []identity.Actor{key.Actor()}
	for _, text := range []string{hex.EncodeToString(seed), "x " + base64.RawURLEncoding.EncodeToString(seed) + ".", strings.ToUpper(hex.EncodeToString(seed))} {
		findings, _ := ScanText("/basis", text, own)
		if len(findings) != 1 || findings[0].Kind != PrivateKey || strings.Contains(findings[0].Excerpt, text[2:12]) {
			t.Errorf("%q: %+v", text, findings)
		}
		if findings, _ := ScanText("/basis", text, nil); len(findings) != 0 {
			t.Errorf("%q, without keys: %+v", text, findings)
		}
	}
	if findings, _ := ScanText("/basis", key.Actor().String()+" "+code(1), own); len(findings) != 0 {
		t.Errorf("an Agent ID and a digest: %+v", findings)
	}
}

func TestScanDraft(t *testing.T) {
	for _, typ := range capsule.Types() {
		d := full(typ)
		if findings, _ := d.Scan(nil); len(findings) != 0 {
			t.Errorf("%v: %+v", typ, findings)
		}
		secret := "ghp_" + filler[:36]
		fields := 0
		for _, f := range d.Fields(Limits{}) {
			text := secret
			if f.Input == JSON {
				text = `{"` + secret + `":1}`
			}
			if _, ok := d.Text(f.Path); !ok {
				continue
			}
			changed := d.Clone()
			if err := changed.SetText(f.Path, text); err != nil {
				t.Fatal(err)
			}
			findings, _ := changed.Scan(nil)
			if ownForm(f.Path) == (len(findings) == 1) {
				t.Errorf("%s: %+v", f.Path, findings)
			}
			if len(findings) == 1 && (findings[0].Path != f.Path || strings.Contains(findings[0].Excerpt, filler[:6])) {
				t.Errorf("%s: %+v", f.Path, findings[0])
			}
			fields++
		}
		if fields < 3 {
			t.Errorf("%v: %d fields", typ, fields)
		}
	}
}

func TestScanSeesThroughEscapes(t *testing.T) {
	d := Draft{Type: capsule.Publish, Payload: Payload{Extra: `{"a":"\u0067hp_` + filler[:36] + `"}`}}
	if findings, _ := d.Scan(nil); len(findings) != 1 || findings[0].Kind != Token {
		t.Errorf("%+v", findings)
	}
}

// What an excerpt shows says where it is, and nothing more of it.
func TestExcerpts(t *testing.T) {
	for text, want := range map[string]string{
		"redis://:s3cretpass@db.example.org": "redis://:…@db.example.org", "cat ~/.ssh": "~/.ssh", "cat ~/.ssh/id_ed25519": "~/.ssh/…",
		`C:\Users\ann\x`: `C:\Users\a…`, "gh" + "p_" + filler[:10] + "\u200b" + filler[10:36]: "ghp_… (40 characters)",
	} {
		findings, _ := ScanText("/statement", text, nil)
		if len(findings) == 0 || !strings.HasPrefix(findings[0].Excerpt, want) {
			t.Errorf("%q: %+v", text, findings)
			continue
		}
		if strings.Contains(text, "\u200b") && (findings[0].Start != 0 || findings[0].End != len(text)) {
			t.Errorf("%q: from %d to %d", text, findings[0].Start, findings[0].End)
		}
	}
}

func TestMarksStay(t *testing.T) {
	one, _ := ScanText("/basis", "ann@uni.edu", nil)
	two, _ := ScanText("/basis", "write to ann@uni.edu or bob@uni.edu", nil)
	three, _ := ScanText("/statement", "ann@uni.edu", nil)
	if len(two) != 2 || one[0].Mark != two[0].Mark || two[0].Mark == two[1].Mark || one[0].Mark == three[0].Mark {
		t.Errorf("marks %v, %v, %v", one, two, three)
	}
}

// TestScanIsLinear bounds what a text of the size of an envelope may cost; the bound
// is far above what linear work needs and far below what squares of it would.
func TestScanIsLinear(t *testing.T) {
	const size = 256 << 10
	own := []identity.Actor{identity.TestKey(0x21).Actor()}
	pieces := []string{
		"a", "@", "a@", "://", "a://b:", "a://b:c@", "?token=", "sk-", "ghp_", "eyJ", ".eyJ", "eyJ.eyJ", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "password=", "password: ",
		"bearer ", "/home/", "~/.ssh", "10.", "1.1.1.1 ", ":", "f:", "localhost:1", ".local", "a.", "-", "_", "A", "AKIA", "两", "\x00", "\u202e", "a@b.cd ", "=", "&key=",
		"seed " + filler[:43] + " ", "password is ", "passphrase \"", "[at]", "a[at]b.c", "+1", "+1 ", "~a/", `\\a`, `\\aa\b`, "http://a", ":AA", "\u200b", "MC4CAQAwBQYDK2VwBCIE",
		filler[:43] + " ", "AGE-SECRET-KEY-1", "<", "\\", "SG.", `C:\Users\`, "：",
	}
	for _, piece := range pieces {
		text := strings.Repeat(piece, size/len(piece))
		start := time.Now()
		findings, more := ScanText("/statement", text, own)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%q took %v", piece, took)
		}
		if len(findings) > maxFindings || more && len(findings) != maxFindings {
			t.Errorf("%q: %d findings, more %v", piece, len(findings), more)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, seed := range scanSeeds() {
		f.Add(seed)
	}
	own := []identity.Actor{identity.TestKey(0x21).Actor()}
	f.Fuzz(func(t *testing.T, text string) {
		findings, _ := ScanText("/basis", text, own)
		for _, x := range findings {
			if x.Start < 0 || x.Start >= x.End || x.End > len(text) || x.Kind.String() == "" || x.Mark == "" || x.Excerpt == "" || len(x.Excerpt) > 400 {
				t.Fatalf("%+v of %q", x, text)
			}
		}
	})
}

func scanSeeds() []string {
	seeds := append([]string{"ann@uni.edu", "a://b:c@d", "password: hunter2!", "10.0.0.1", "~/.ssh/x", "/home/a", "eyJa.eyJb.c", "fe80::1"}, hostile...)
	return append(seeds, "-----BEGIN "+"PRIVATE KEY-----x", "ghp_"+filler[:36])
}

func TestScanSeedCount(t *testing.T) {
	if n := len(scanSeeds()); n < 60 {
		t.Errorf("%d seeds", n)
	}
}
