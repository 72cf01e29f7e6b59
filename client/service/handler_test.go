package service

import (
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func TestDiscovery92OverHTTP(t *testing.T) {
	s := newSite(t, HandlerOptions{Rate: 10}, nil)
	out := do(t, s, get(wire.DiscoveryPath))
	d, err := wire.ParseDiscovery(out.body.Bytes(), origin)
	if err != nil || out.status != 200 || out.header.Get("Cache-Control") != "public, max-age=300" {
		t.Fatal(out.status, err, out.header)
	}
	want := map[string]int64{"max_envelope_bytes": 262144, "max_json_depth": 200, "max_page_records": 1000, "max_page_bytes": DefaultPageBytes, "max_batch_bytes": MaxBatchBytes,
		"max_read_request_bytes": 65536, "max_requests_per_minute": 600, "max_requests_at_once": 50}
	for _, l := range d.Limits {
		if want[l.Name] != l.Value {
			t.Errorf("limit %s: %d", l.Name, l.Value)
		}
		delete(want, l.Name)
	}
	if len(want) > 0 {
		t.Errorf("limits that are not published: %v", want)
	}
	if d.Licenses != nil {
		t.Errorf("licences %q of a service without a policy", d.Licenses)
	}
	told := newSite(t, HandlerOptions{Limits: []wire.Limit{{Name: wire.LimitConnections, Value: 7}}}, func(o *Options) { o.Licenses = []string{"https://l.example/"} })
	d, err = wire.ParseDiscovery(do(t, told, get(wire.DiscoveryPath)).body.Bytes(), origin)
	if err != nil || d.Limit(wire.LimitConnections) != 7 || len(d.Licenses) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	if s.store.calls != 0 {
		t.Errorf("discovery asked the store %d times", s.store.calls)
	}
}

func TestSubmit91OverHTTP(t *testing.T) {
	s := newSite(t, HandlerOptions{}, nil)
	text := s.sign(capsule.Publish, s.now, question("one", "two"))
	first := do(t, s, post(wire.EventsPath, text))
	s.now += 5000
	again := do(t, s, post(wire.EventsPath, text))
	if first.status != 200 || again.status != 200 || first.text() != again.text() || !strings.Contains(first.text(), text) {
		t.Fatalf("%d %s\n%d %s", first.status, first.text(), again.status, again.text())
	}
	if first.header.Get("Max-Seen-Nonce") != "" || first.header.Get("Cache-Control") != "no-store" || len(first.header["Set-Cookie"]) > 0 {
		t.Errorf("headers %v", first.header)
	}
	if s.log[0].Seq != 1 || s.log[0].Accepted.IsZero() || !s.log[1].Accepted.IsZero() || s.log[0].Operation != "submit" || s.log[0].Question != "" {
		t.Errorf("log %+v", s.log)
	}
	id := s.log[0].Accepted.String()
	one := do(t, s, get(wire.EventsPath+"/"+id))
	if one.status != 200 || one.text() != first.text() || s.log[2].Question != id {
		t.Errorf("%d %s", one.status, one.text())
	}
}

func TestMethods91(t *testing.T) {
	s := newSite(t, HandlerOptions{}, nil)
	id := s.add("one", "x").Event.ID().String()
	paths := map[string]string{wire.DiscoveryPath: "GET, HEAD", wire.EventsPath: "POST", wire.EventsPath + "/" + id: "GET, HEAD",
		wire.QueryPath: "GET, HEAD", wire.BatchPath: "POST", wire.SearchPath: "POST"}
	for path, allow := range paths {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "X"} {
			out := do(t, s, testCall{method: method, target: path})
			if strings.Contains(allow, method) && method != "X" {
				if out.status == 405 {
					t.Errorf("%s %s is refused", method, path)
				}
				continue
			}
			if method == "HEAD" {
				if out.status != 405 || out.body.Len() > 0 {
					t.Errorf("HEAD %s: %d %q", path, out.status, out.text())
				}
				continue
			}
			refused(t, method+" "+path, out, 405, fault.InvalidRequest)
			if out.header.Get("Allow") != allow {
				t.Errorf("%s %s: Allow %q", method, path, out.header.Get("Allow"))
			}
		}
	}
	for _, path := range []string{wire.DiscoveryPath, wire.EventsPath + "/" + id, wire.QueryPath} {
		full, head := do(t, s, get(path)), do(t, s, testCall{method: "HEAD", target: path})
		if head.status != 200 || head.body.Len() > 0 || head.header.Get("Content-Length") != full.header.Get("Content-Length") {
			t.Errorf("HEAD %s: %d, %v, %d bytes", path, head.status, head.header, head.body.Len())
		}
	}
	plain := newSite(t, HandlerOptions{}, func(o *Options) { o.Ranked = false })
	refused(t, "no search", do(t, plain, post(wire.SearchPath, `{"text":"a","mode":"lexical"}`)), 404, fault.NotFound)
}

func TestContentTypes(t *testing.T) {
	s := newSite(t, HandlerOptions{}, nil)
	for kind, ok := range map[string]bool{
		"application/json": true, "Application/JSON": true, "application/json; charset=utf-8": true, `application/json;charset="UTF-8"`: true,
		"application/json; charset=latin1": false, "text/plain": false, "application/x-www-form-urlencoded": false, "": false, "application/jsonx": false, "application/json;": true, ";": false,
	} {
		c := post(wire.BatchPath, string(wire.BatchRequest{IDs: []identity.ID{{1}}}.Append(nil)))
		c.header = []string{"Content-Type", kind}
		if out := do(t, s, c); (out.status == 200) != ok || !ok && out.status != 415 {
			t.Errorf("%q: %d %s", kind, out.status, out.text())
		}
	}
	for name, header := range map[string][]string{
		"compressed": {"Content-Type", "application/json", "Content-Encoding", "gzip"},
		"two types":  {"Content-Type", "application/json", "Content-Type", "text/plain"},
	} {
		c := post(wire.BatchPath, `{}`)
		c.header = header
		refused(t, name, do(t, s, c), 415, fault.InvalidRequest)
	}
}

func TestGzip(t *testing.T) {
	s := newSite(t, HandlerOptions{}, nil)
	for range 5 {
		s.add("title", strings.Repeat("text ", 200))
	}
	want := do(t, s, get(wire.QueryPath)).text()
	for accepted, zipped := range map[string]bool{
		"gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "*": true, "*;q=0, gzip": true, "x-gzip": true,
		"": false, "br": false, "gzip;q=0": false, "gzip;q=0.000, *": false, "*;q=0": false, "gzip;q=x": false, "identity": false,
	} {
		c := get(wire.QueryPath)
		c.header = []string{"Accept-Encoding", accepted}
		out := do(t, s, c)
		got := out.text()
		if zipped {
			r, err := gzip.NewReader(&out.body)
			if err != nil {
				t.Errorf("%q: %v", accepted, err)
				continue
			}
			plain, err := io.ReadAll(r)
			if err != nil {
				t.Errorf("%q: %v", accepted, err)
			}
			got = string(plain)
		}
		if got != want || (out.header.Get("Content-Encoding") == "gzip") != zipped || out.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %v, %d bytes", accepted, out.header, len(got))
		}
	}
	small := get(wire.QueryPath + "?tag=none")
	small.header = []string{"Accept-Encoding", "gzip"}
	if out := do(t, s, small); out.header.Get("Content-Encoding") != "" {
		t.Error("a small answer is compressed")
	}
}

// TestWalk93OverHTTP reads every page and filter by a client's own checks.
func TestWalk93OverHTTP(t *testing.T) {
	s := newSite(t, HandlerOptions{}, nil)
	for i := range 25 {
		s.add(fmt.Sprint("title & = + % ; ü ", i), "alpha")
	}
	for _, query := range []string{"", "limit=7", "limit=7&kind=question", "kind=question&limit=1", "tag=none", "kin%64=question&lim%69t=3", "language=EN&limit=10", "&&limit=9&"} {
		params, err := ParseForm(query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := wire.ParseQuery(params)
		if err != nil {
			t.Fatal(err)
		}
		e := wire.NewEnumeration(origin, q)
		seen := 0
		for next := "-"; next != ""; {
			target := wire.QueryPath + "?" + query
			if cursor := e.Request().Cursor; cursor != "" {
				target = wire.QueryPath + "?cursor=" + cursor + "&" + query
			}
			out := do(t, s, get(target))
			page, err := e.Page(out.body.Bytes())
			if err != nil {
				t.Fatal(query, err, out.text())
			}
			seen += len(page.Items)
			next = page.Next
			s.now++
		}
		want := 25
		if strings.Contains(query, "tag") {
			want = 0
		}
		if seen != want {
			t.Errorf("%q: %d records", query, seen)
		}
	}
	out := do(t, s, get(wire.QueryPath+"?limit=7"))
	_, after, _ := strings.Cut(out.text(), `"next_cursor":"`)
	cursor := strings.TrimSuffix(after, `"}`)
	for _, other := range []string{"limit=8", "limit=7&kind=question", "limit=7&after_seq=1"} {
		refused(t, other, do(t, s, get(wire.QueryPath+"?cursor="+cursor+"&"+other)), 400, fault.InvalidCursor)
	}
}
