package service

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// TestRefusals97: each status and code, and what never reaches the store.
func TestRefusals97(t *testing.T) {
	s := newSite(t, HandlerOptions{}, func(o *Options) {
		o.Policy = func(e capsule.Event) error {
			if strings.Contains(e.Title(), "spam") {
				return fault.Refuse(fault.StepPolicy, "", "not here")
			}
			return nil
		}
	})
	text := s.sign(capsule.Publish, s.now, question("one", "two"))
	question1 := s.add("one", "x").Event.ID().String()
	absent := strings.Repeat("A", 43)
	plain := post(wire.EventsPath, text)
	plain.header = nil
	for name, test := range map[string]struct {
		call   testCall
		status int
		code   fault.Code
	}{
		"not JSON":                 {post(wire.EventsPath, "{"), 400, fault.InvalidEvent},
		"empty body":               {post(wire.EventsPath, ""), 400, fault.InvalidEvent},
		"not UTF-8":                {post(wire.EventsPath, "\xff"), 400, fault.InvalidEvent},
		"a record":                 {post(wire.EventsPath, `{"envelope":`+text+`,"seq":1,"accepted_at":1}`), 400, fault.InvalidEvent},
		"an array of envelopes":    {post(wire.EventsPath, "["+text+"]"), 400, fault.InvalidEvent},
		"tampered":                 {post(wire.EventsPath, strings.Replace(text, `"one"`, `"One"`, 1)), 400, fault.InvalidEventHash},
		"signature":                {post(wire.EventsPath, strings.Replace(text, `"signature":"`, `"signature":"A`, 1)), 400, fault.InvalidSignature},
		"from the future":          {post(wire.EventsPath, s.sign(capsule.Publish, s.now+300_001, question("later", "x"))), 400, fault.TimestampOutside},
		"missing":                  {post(wire.EventsPath, s.sign(capsule.Retract, s.now, `{"target":"`+absent+`","reason":"x"}`)), 409, fault.MissingDependency},
		"older retraction":         {post(wire.EventsPath, s.older(question1)), 400, fault.InvalidTarget},
		"policy":                   {post(wire.EventsPath, s.sign(capsule.Publish, s.now, question("spam", "x"))), 403, fault.PermissionDenied},
		"too long":                 {post(wire.EventsPath, text+strings.Repeat(" ", maxEnvelope)), 413, fault.PayloadTooLarge},
		"batch too long":           {post(wire.BatchPath, strings.Repeat(" ", maxReadBody+1)), 413, fault.PayloadTooLarge},
		"no content type":          {plain, 415, fault.InvalidRequest},
		"malformed ID":             {get(wire.EventsPath + "/" + absent + "="), 400, fault.InvalidRequest},
		"no ID":                    {get(wire.EventsPath + "/"), 400, fault.InvalidRequest},
		"absent ID":                {get(wire.EventsPath + "/" + absent), 404, fault.NotFound},
		"below an ID":              {get(wire.EventsPath + "/" + absent + "/"), 404, fault.NotFound},
		"unknown path":             {get("/"), 404, fault.NotFound},
		"trailing slash":           {get(wire.QueryPath + "/"), 404, fault.NotFound},
		"doubled slash":            {get("/" + wire.QueryPath), 404, fault.NotFound},
		"other case":               {get("/V1/knowledge/query"), 404, fault.NotFound},
		"unknown parameter":        {get(wire.QueryPath + "?x=1"), 400, fault.InvalidRequest},
		"repeated parameter":       {get(wire.QueryPath + "?tag=a&tag=a"), 400, fault.InvalidRequest},
		"repeated as an escape":    {get(wire.QueryPath + "?tag=a&t%61g=a"), 400, fault.InvalidRequest},
		"bad escape":               {get(wire.QueryPath + "?tag=%4"), 400, fault.InvalidRequest},
		"not UTF-8 in a parameter": {get(wire.QueryPath + "?tag=%ff"), 400, fault.InvalidRequest},
		"limit 0":                  {get(wire.QueryPath + "?limit=0"), 400, fault.InvalidRequest},
		"limit 1001":               {get(wire.QueryPath + "?limit=1001"), 400, fault.InvalidRequest},
		"signed limit":             {get(wire.QueryPath + "?limit=+5"), 400, fault.InvalidRequest},
		"after_seq too large":      {get(wire.QueryPath + "?after_seq=2"), 400, fault.InvalidRequest},
		"cursor":                   {get(wire.QueryPath + "?cursor=x"), 400, fault.InvalidCursor},
		"no hashes":                {post(wire.BatchPath, `{"hashes":[]}`), 400, fault.InvalidRequest},
		"doubled name":             {post(wire.BatchPath, `{"hashes":["`+absent+`"],"hashes":["`+absent+`"]}`), 400, fault.InvalidRequest},
		"unknown member":           {post(wire.BatchPath, `{"hashes":["`+absent+`"],"x":1}`), 400, fault.InvalidRequest},
		"search mode":              {post(wire.SearchPath, `{"text":"a","mode":"semantic"}`), 400, fault.UnsupportedSearchMode},
		"search text":              {post(wire.SearchPath, `{"text":" ","mode":"lexical"}`), 400, fault.InvalidRequest},
	} {
		refused(t, name, do(t, s, test.call), test.status, test.code)
	}
	out := do(t, s, post(wire.EventsPath, s.sign(capsule.Retract, s.now, `{"target":"`+absent+`","reason":"x"}`)))
	if e, err := wire.ParseError(out.body.Bytes()); err != nil || len(e.Missing) != 1 || e.Missing[0] != absent {
		t.Errorf("missing: %+v, %v", e, err)
	}
	if page, err := s.core.Query(t.Context(), nil); err != nil || page.Checkpoint != 1 {
		t.Errorf("refusals changed something: %d, %v", page.Checkpoint, err)
	}
}

// older signs a retraction of target whose nonce is not greater (8.2).
func (b *bench) older(target string) string {
	next := b.nonce
	b.nonce = 0
	defer func() { b.nonce = next }()
	return b.sign(capsule.Retract, b.now, `{"target":"`+target+`","reason":"x"}`)
}

// unreadable is a body that must not be read.
type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

// TestBeforeStep181: cap, rate and no-submit come before anything of the body.
func TestBeforeStep181(t *testing.T) {
	closed := newSite(t, HandlerOptions{NoSubmit: true}, nil)
	limited := newSite(t, HandlerOptions{Rate: 1, Burst: 1}, nil)
	do(t, limited, get("/"))
	for name, test := range map[string]struct {
		site   *site
		length int64
		status int
		code   fault.Code
	}{
		"too long":        {newSite(t, HandlerOptions{}, nil), maxEnvelope + 1, 413, fault.PayloadTooLarge},
		"no submissions":  {closed, 10, 403, fault.PermissionDenied},
		"too many":        {limited, 10, 429, fault.RateLimited},
		"token is wanted": {newSite(t, HandlerOptions{RequireToken: true}, nil), 10, 401, fault.InvalidToken},
	} {
		r := post(wire.EventsPath, "").request(t)
		r.Body, r.ContentLength = io.NopCloser(unreadable{t}), test.length
		out := &recorder{header: http.Header{}}
		test.site.ServeHTTP(out, r)
		refused(t, name, out, test.status, test.code)
		if out.header.Get("Connection") != "close" {
			t.Errorf("%s: the unread body would be the next request", name)
		}
		if test.site.store.calls > 0 {
			t.Errorf("%s: the store was asked", name)
		}
	}
	if d, err := wire.ParseDiscovery(do(t, closed, get(wire.DiscoveryPath)).body.Bytes(), origin); err != nil || d.Endpoints.Events == "" {
		t.Errorf("a closed service has no place for reads of events: %+v, %v", d, err)
	}
	// One byte more than the cap, of unknown length.
	s := newSite(t, HandlerOptions{}, nil)
	text := s.sign(capsule.Publish, s.now, question("one", "two"))
	for extra, status := range map[int]int{0: 200, 1: 413} {
		r := post(wire.EventsPath, text+strings.Repeat(" ", maxEnvelope-len(text)+extra)).request(t)
		r.ContentLength = -1
		out := &recorder{header: http.Header{}}
		s.ServeHTTP(out, r)
		if out.status != status {
			t.Errorf("%d over the cap: %d %s", extra, out.status, out.text())
		}
	}
}

func TestTokens7(t *testing.T) {
	s := newSite(t, HandlerOptions{RequireToken: true}, nil)
	secs := s.now / 1000
	token := func(aud identity.Origin, at int64) string {
		text, err := identity.SignRequest(identity.TestKey(0x22), aud, at, 300)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	good := "Bearer " + token(origin, secs)
	text := s.sign(capsule.Publish, s.now, question("one", "two"))
	for name, test := range map[string]struct {
		header []string
		ok     bool
	}{
		"of another agent than the actor": {[]string{good}, true},
		"scheme in lower case":            {[]string{"bearer" + good[6:]}, true},
		"other origin":                    {[]string{"Bearer " + token("https://other.example", secs)}, false},
		"expired":                         {[]string{"Bearer " + token(origin, secs-300)}, false},
		"from the future":                 {[]string{"Bearer " + token(origin, secs+61)}, false},
		"tampered":                        {[]string{good[:len(good)-4] + "AAAA"}, false},
		"Basic":                           {[]string{"Basic eDp4"}, false},
		"no scheme":                       {[]string{good[7:]}, false},
		"empty":                           {[]string{""}, false},
		"twice":                           {[]string{good, good}, false},
	} {
		submission, read := post(wire.EventsPath, text), get(wire.QueryPath)
		for _, h := range test.header {
			submission.header = append(submission.header, "Authorization", h)
			read.header = append(read.header, "Authorization", h)
		}
		for _, c := range []testCall{submission, read} {
			out := do(t, s, c)
			if test.ok && out.status != 200 {
				t.Errorf("%s: %d %s", name, out.status, out.text())
			}
			if !test.ok {
				refused(t, name, out, 401, fault.InvalidToken)
				if out.header.Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("%s: headers %v", name, out.header)
				}
			}
		}
	}
	refused(t, "none", do(t, s, post(wire.EventsPath, text)), 401, fault.InvalidToken)
	if out := do(t, s, get(wire.QueryPath)); out.status != 200 {
		t.Errorf("a read without a token: %d", out.status)
	}
}

// TestStoreFailures93: a store that cannot be read is query_unavailable, never a
// short or empty answer.
func TestStoreFailures93(t *testing.T) {
	s := newSite(t, HandlerOptions{}, nil)
	s.add("one", "alpha")
	text := s.sign(capsule.Publish, s.now, question("two", "x"))
	for name, test := range map[string]struct {
		err   error
		retry string
	}{
		"damaged":     {&fault.Damaged{What: "cache.db"}, ""},
		"held":        {&fault.Unavailable{Code: fault.Locked, Retry: true}, "2"},
		"disk":        {&fault.Unavailable{Code: fault.UnavailableCode}, ""},
		"own refusal": {&fault.Refusal{Code: fault.DamagedCode}, ""},
		"unknown":     {io.ErrUnexpectedEOF, ""},
		"late":        {context.DeadlineExceeded, ""},
	} {
		s.store.err = test.err
		for _, c := range []testCall{get(wire.QueryPath), get(wire.EventsPath + "/" + strings.Repeat("A", 43)), post(wire.EventsPath, text),
			post(wire.BatchPath, string(wire.BatchRequest{IDs: []identity.ID{{1}}}.Append(nil))), post(wire.SearchPath, `{"text":"alpha","mode":"lexical"}`)} {
			out := do(t, s, c)
			refused(t, name+" "+c.target, out, 503, fault.QueryUnavailable)
			if out.header.Get("Retry-After") != test.retry {
				t.Errorf("%s: Retry-After %q", name, out.header.Get("Retry-After"))
			}
		}
	}
}

func TestPanicIsAnswered(t *testing.T) {
	s := newSite(t, HandlerOptions{Concurrent: 1}, nil)
	s.store.wait = func() { panic("broken") }
	for range 3 { // a place that was not given back would make the second one wait
		refused(t, "panic", do(t, s, get(wire.QueryPath)), 503, fault.QueryUnavailable)
	}
	if !strings.Contains(s.log[0].Panic, "broken") {
		t.Errorf("log %+v", s.log[0])
	}
}

func TestConcurrencyIsBounded(t *testing.T) {
	s := newSite(t, HandlerOptions{Concurrent: 1}, nil)
	inside, leave := make(chan struct{}), make(chan struct{})
	s.store.wait = func() { close(inside); <-leave; s.store.wait = nil }
	first := make(chan int)
	go func() {
		out := &recorder{header: http.Header{}}
		s.ServeHTTP(out, get(wire.QueryPath).request(t))
		first <- out.status
	}()
	<-inside
	r := get(wire.QueryPath).request(t)
	ctx, cancel := context.WithCancel(r.Context())
	cancel()
	out := &recorder{header: http.Header{}}
	s.ServeHTTP(out, r.WithContext(ctx))
	refused(t, "no place", out, 503, fault.QueryUnavailable)
	close(leave)
	if status := <-first; status != 200 {
		t.Errorf("the first: %d", status)
	}
}

// TestSlowBodyTakesNoPlace: who sends slowly keeps nobody waiting.
func TestSlowBodyTakesNoPlace(t *testing.T) {
	s := newSite(t, HandlerOptions{Concurrent: 1}, nil)
	text := s.sign(capsule.Publish, s.now, question("slow", "x"))
	body, rest := io.Pipe()
	r := post(wire.EventsPath, "").request(t)
	r.Body, r.ContentLength = body, int64(len(text))
	// Without a log, which the two requests would share.
	h := NewHandler(s.core, HandlerOptions{Concurrent: 1})
	slow := make(chan int)
	go func() {
		out := &recorder{header: http.Header{}}
		h.ServeHTTP(out, r)
		slow <- out.status
	}()
	if _, err := io.WriteString(rest, text[:10]); err != nil { // returns when it was read
		t.Fatal(err)
	}
	if out := do(t, h, get(wire.QueryPath)); out.status != 200 {
		t.Errorf("%d %s", out.status, out.text())
	}
	if _, err := io.WriteString(rest, text[10:]); err != nil {
		t.Fatal(err)
	}
	rest.Close()
	if status := <-slow; status != 200 {
		t.Errorf("the slow one: %d", status)
	}
}

// What is wrong is named, in a way that is harmless: a parameter, a record in the place
// of an envelope, a content coding (9.3, 8.1, RFC 9110 15.5.16).
func TestRefusalsNameWhatIsWrong_9_3(t *testing.T) {
	s := newSite(t, HandlerOptions{}, nil)
	text := s.sign(capsule.Publish, s.now, question("one", "two"))
	coded := post(wire.EventsPath, text)
	coded.header = append(coded.header, "Content-Encoding", "gzip")
	typed := post(wire.EventsPath, text)
	typed.header = []string{"Content-Type", "text/plain"}
	for name, test := range map[string]struct {
		call      testCall
		status    int
		code      fault.Code
		words     string
		encodings string
	}{
		"parameter":      {get(wire.QueryPath + "?foo=1"), 400, fault.InvalidRequest, `"foo"`, ""},
		"evil parameter": {get(wire.QueryPath + "?%1b%5b2J%c2%9b%e2%80%ae=1"), 400, fault.InvalidRequest, `"\x1b[2J\u009b\u202e"`, ""},
		"long parameter": {get(wire.QueryPath + "?" + strings.Repeat("x", 39) + "%c3%a9" + strings.Repeat("y", 900)), 400, fault.InvalidRequest, `"` + strings.Repeat("x", 39) + `"…`, ""},
		"record":         {post(wire.EventsPath, `{"envelope":`+text+`,"seq":1,"accepted_at":1}`), 400, fault.InvalidEvent, "only envelopes are taken", ""},
		"not a record":   {post(wire.EventsPath, `{"envelope":1}`), 400, fault.InvalidEvent, "/", ""},
		"content coding": {coded, 415, fault.InvalidRequest, "compressed", "identity"},
		"content type":   {typed, 415, fault.InvalidRequest, "application/json", ""},
	} {
		out := do(t, s, test.call)
		refused(t, name, out, test.status, test.code)
		e, err := wire.ParseError(out.body.Bytes())
		if err != nil || !strings.Contains(e.Message, test.words) || out.header.Get("Accept-Encoding") != test.encodings || len(e.Message) > 120 {
			t.Errorf("%s: %q, Accept-Encoding %q", name, e.Message, out.header.Get("Accept-Encoding"))
		}
	}
}
