package identity

import (
	"errors"
	"slices"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"akx/view/fault"
)

// hosts pairs spellings with what the WHATWG parser prints; empty is a failure.
var hosts = []struct{ host, printed string }{
	{"a.example", "a.example"}, {"A.Example", "a.example"}, {"a..b", "a..b"}, {".", "."}, {"a.", "a."},
	{"a_b", "a_b"}, {"-a-", "-a-"}, {"aa--b", "aa--b"}, {"a{b}.example", "a{b}.example"}, {"a'b!$&()*+,;=~`\"", "a'b!$&()*+,;=~`\""},
	{strings.Repeat("a", 70), strings.Repeat("a", 70)}, {"a%41.com", "aa.com"}, {"%", ""}, {"a%2", ""}, {"a%zz", ""},
	{"a b", ""}, {"a%20b", ""}, {"a|b", ""}, {"a^b", ""}, {"a<b", ""}, {"a>b", ""}, {"a%00", ""}, {"a\x7f", ""}, {"a]", ""}, {"a[b", ""}, {"%5B::1%5D", ""}, {"exa%23mple", ""},
	{"\xff", ""}, {"%ff", ""}, {"%ef%bf%bd", ""},
	{"faß.de", "xn--fa-hia.de"}, {"ＡＢ.com", "ab.com"}, {"a。b", "a.b"}, {"☃.net", "xn--n3h.net"}, {"XN--N3H.net", "xn--n3h.net"}, {"例え.jp", "xn--r8jz45g.jp"},
	{"a\u00adb", "ab"}, {"\u00ad", ""}, {"a\u200db", ""}, {"\u05d0a.com", ""}, {"0\u05d0.com", ""}, {"a\u2260b.com", "xn--ab-miv.com"},
	{"xn--", ""}, {"xn--a", ""}, {"xn--a-.x", ""}, {"xn--iñvalid", ""}, {"xn--nxasmq6b.example", "xn--nxasmq6b.example"},
	{"127.0.0.1", "127.0.0.1"}, {"127.1", "127.0.0.1"}, {"0x7f.1", "127.0.0.1"}, {"0177.0.0.01", "127.0.0.1"}, {"2130706433", "127.0.0.1"}, {"0x", "0.0.0.0"}, {"1.2.3.4.", "1.2.3.4"},
	{"１.２.３.４", "1.2.3.4"}, {"4294967295", "255.255.255.255"}, {"4294967296", ""}, {"256.1.1.1", ""}, {"1.2.3.256", ""}, {"1.2.3.4.5", ""}, {"1..2", ""}, {"a.08", ""}, {"08", ""}, {"a.0x", ""},
	{"a.99999999999999999999", ""}, {"0xffffffffffffffffffffff", ""}, {"1e3", "1e3"}, {"1_0", "1_0"}, {"1.2.3.4..", "1.2.3.4.."},
	{"[::1]", "[::1]"}, {"[::]", "[::]"}, {"[1::]", "[1::]"}, {"[0001::ABCD]", "[1::abcd]"}, {"[1:0:0:2::3]", "[1:0:0:2::3]"}, {"[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"},
	{"[0:0:1:0:0:1:0:0]", "[::1:0:0:1:0:0]"}, {"[::ffff:1.2.3.4]", "[::ffff:102:304]"}, {"[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]"}, {"[::2:3:4:5:6:7:8]", "[0:2:3:4:5:6:7:8]"}, {"[1:2:3:4:5:6:1.2.3.4]", "[1:2:3:4:5:6:102:304]"},
	{"[]", ""}, {"[", ""}, {"[1]", ""}, {"[:1]", ""}, {"[1:]", ""}, {"[:]", ""}, {"[:::]", ""}, {"[1::2::3]", ""}, {"[1:2:3:4:5:6:7:8:9]", ""}, {"[1:2:3:4:5:6:7::8]", ""}, {"[1:2:3:4:5:6:7:8::]", ""}, {"[12345::]", ""},
	{"[::1.2.3]", ""}, {"[::1.2.3.4.5]", ""}, {"[::1.2.3.300]", ""}, {"[::01.2.3.4]", ""}, {"[::1.2.3.4:5]", ""}, {"[1:2:3:4:5:6:7:1.2.3.4]", ""}, {"[::.1.2.3]", ""}, {"[::1%25eth0]", ""}, {"[::g]", ""},
}

func TestHosts(t *testing.T) {
	for _, c := range hosts {
		got, ok := parseHost(c.host)
		if got != c.printed || ok != (c.printed != "") {
			t.Errorf("%q: %q, want %q", c.host, got, c.printed)
		}
		u, err := whatwg.Parse("https://" + c.host)
		switch {
		case (err == nil) != ok:
			t.Errorf("%q: accepted %v, the reference parser says %v", c.host, ok, err)
		case ok && u.Hostname() != got:
			t.Errorf("%q: %q, the reference parser prints %q", c.host, got, u.Hostname())
		}
	}
}

// Where the reference parser leaves the standard, the standard wins.
func TestHostsBeyondTheReference(t *testing.T) {
	for host, want := range map[string]string{
		"1.0x-1": "1.0x-1", "a.0x+1": "a.0x+1", "a.+1": "a.+1", "[[::1]]": "", "faß{b}": "xn--fa{b}-mqa", "faß_.de": "xn--fa_-6ka.de",
	} {
		if got, ok := parseHost(host); got != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
}

func TestParseOrigin(t *testing.T) {
	valid := []string{"https://a.example", "https://a.example:8443", "https://a.example:0", "https://a.example:65535", "https://[::1]:1", "https://a{b}.example", "https://1.2.3.4", "https://xn--n3h.net"}
	for _, s := range valid {
		if o, err := ParseOrigin(s); err != nil || string(o) != s {
			t.Errorf("%q: %q, %v", s, o, err)
		}
		if err := CheckHTTPS(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
	invalid := []string{"", "https://", "https:", "a.example", "http://a.example", "HTTPS://a.example", "https://A.example", "https://☃.net", "https://a.example/", "https://a.example?", "https://a.example#", "https://a.example\\",
		"https://u@a.example", "https://@a.example", "https://a.example:", "https://a.example:443", "https://a.example:080", "https://a.example:65536", "https://a.example:-1", "https://a.example:+1", "https://a.example:8 0", "https://127.1", "https://[::0]", "https://[::1", "https://[::1]x", "https://[::1]:",
		" https://a.example", "https://a.example ", "https://a.exa\nmple", "https://a.example\x00", "https://:80", "https://a:b:1", "https://%61.example"}
	for _, s := range invalid {
		o, err := ParseOrigin(s)
		var refusal *fault.Refusal
		if !errors.As(err, &refusal) || refusal.Code != fault.InvalidRequest || o != "" {
			t.Errorf("%q: %q, %v", s, o, err)
		}
	}
}

func TestCheckHTTPS_AgentKnowledge_8_1(t *testing.T) {
	valid := []string{"https://a.example", "https://A.Example/x?y#z", "https://a/@b", "https://a?@", "https://a#@", "https://a:443/", "https://a:", "https://127.1/", "https://☃.net/é", "https://[::1]:9/", "https://a\\b", "https://a ", "https://a\t.b/", "https://a/%zz\x00\u202e", "https://a/\xff"}
	for _, s := range valid {
		if err := CheckHTTPS(s); err != nil {
			t.Errorf("%q: %v", s, err)
		}
		if u, err := whatwg.Parse(s); err != nil || u.Protocol() != "https:" || u.Username() != "" {
			t.Errorf("%q: the reference parser disagrees: %v", s, err)
		}
	}
	invalid := []string{"", "https://", "https:///a", "https:a", "https:/a", "http://a", "HTTPS://a", " https://a", "ftp://a", "//a", "a", "https://u@a", "https://u:p@a/", "https://@a", "https://a\\@b", "https://a:99999/", "https://a:x/", "https://a b/", "https://[::1/", "https://1.2.3.4.5/", "https://:80", "https://?a", "https://\t", "https://\\a", "https://a/\n", "https://a/\u2028b", "https://xn--/"}
	for _, s := range invalid {
		wantStep(t, s, CheckHTTPS(s), fault.StepPayload)
	}
}

func TestOriginOf(t *testing.T) {
	for url, want := range map[string]Origin{"https://A.example:443/x": "https://a.example", "https://127.1:0?x": "https://127.0.0.1:0"} {
		if got, err := OriginOf(url); got != want || err != nil {
			t.Errorf("%q: %q, %v", url, got, err)
		}
	}
	if got, err := OriginOf("https://u@a/"); got != "" || err == nil {
		t.Errorf("userinfo: %q", got)
	}
}

func FuzzOrigin(f *testing.F) {
	for _, c := range hosts {
		f.Add("https://" + c.host)
		f.Add("https://" + c.host + ":8080/x?y#z")
	}
	f.Fuzz(func(t *testing.T, s string) {
		if o, err := ParseOrigin(s); err == nil {
			if string(o) != s || CheckHTTPS(s) != nil {
				t.Fatalf("%q is accepted as %q but no URL", s, o)
			}
		} else if o != "" {
			t.Fatalf("%q: a value beside an error", s)
		}
		o, err := OriginOf(s)
		if (err == nil) != (CheckHTTPS(s) == nil) {
			t.Fatalf("%q: two opinions", s)
		}
		if err != nil {
			return
		}
		if again, err := ParseOrigin(string(o)); err != nil || again != o {
			t.Fatalf("%q: its origin %q is not canonical: %v", s, o, err)
		}
	})
}

func TestHostSeeds(t *testing.T) {
	if n := len(slices.DeleteFunc(slices.Clone(hosts), func(c struct{ host, printed string }) bool { return c.host == "" })); n < 80 {
		t.Errorf("only %d hosts", n)
	}
}
