package clienttest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
)

// Lie turns an honest service into one that lies in one way.
type Lie func(honest http.Handler) http.Handler

// At keeps a lie to the requests whose path begins with prefix.
func At(prefix string, lie Lie) Lie {
	return func(honest http.Handler) http.Handler {
		lying := lie(honest)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, prefix) {
				lying.ServeHTTP(w, r)
				return
			}
			honest.ServeHTTP(w, r)
		})
	}
}

// From keeps a lie to the requests from the nth on, counted from 0.
func From(n int64, lie Lie) Lie { return when(func(i int64) bool { return i >= n }, lie) }

// Only keeps a lie to the nth request, counted from 0.
func Only(n int64, lie Lie) Lie { return when(func(i int64) bool { return i == n }, lie) }

func when(lies func(i int64) bool, lie Lie) Lie {
	return func(honest http.Handler) http.Handler {
		lying := lie(honest)
		var count atomic.Int64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if lies(count.Add(1) - 1) {
				lying.ServeHTTP(w, r)
				return
			}
			honest.ServeHTTP(w, r)
		})
	}
}

// Answer is an answer as it would go out.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Change lets change edit each honest answer to a request.
func Change(change func(r *http.Request, a *Answer)) Lie {
	return func(honest http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			recorder := httptest.NewRecorder()
			honest.ServeHTTP(recorder, r)
			a := Answer{recorder.Code, recorder.Header(), recorder.Body.Bytes()}
			change(r, &a)
			for name, values := range a.Header {
				w.Header()[name] = values
			}
			w.WriteHeader(a.Status)
			w.Write(a.Body)
		})
	}
}

// Text edits the bytes of each answer.
func Text(change func([]byte) []byte) Lie {
	return Change(func(_ *http.Request, a *Answer) {
		a.Body = change(a.Body)
		a.Header.Del("Content-Length") // of the honest answer
	})
}

// Replace puts one text for another in each answer.
func Replace(old, with string) Lie {
	return Text(func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(with)) })
}

// Document edits each answer as a JSON object. Numbers are json.Number or Go's own.
func Document(change func(doc map[string]any)) Lie {
	return Text(func(b []byte) []byte {
		var doc map[string]any
		decoder := json.NewDecoder(bytes.NewReader(b))
		decoder.UseNumber()
		if decoder.Decode(&doc) != nil {
			return b
		}
		change(doc)
		out, err := json.Marshal(doc)
		if err != nil {
			return []byte(err.Error())
		}
		return out
	})
}

// Set gives a member of each answer another value.
func Set(name string, value any) Lie {
	return Document(func(doc map[string]any) { doc[name] = value })
}

// Drop removes a member of each answer.
func Drop(name string) Lie { return Document(func(doc map[string]any) { delete(doc, name) }) }

// Results edits the list result of each answer.
func Results(change func(list []any) []any) Lie {
	return Document(func(doc map[string]any) {
		if list, ok := doc["result"].([]any); ok {
			doc["result"] = change(list)
		}
	})
}

// Status answers with a status, a content type and a body.
func Status(status int, contentType, body string) Lie {
	return Change(func(_ *http.Request, a *Answer) {
		a.Status, a.Body = status, []byte(body)
		a.Header = http.Header{"Content-Type": {contentType}}
	})
}

// Redirect answers with a redirect.
func Redirect(status int, to string) Lie {
	return Change(func(_ *http.Request, a *Answer) {
		a.Status, a.Body = status, nil
		a.Header.Set("Location", to)
	})
}

// Bomb answers with n zero bytes, compressed.
func Bomb(n int64) Lie {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.CopyN(z, zeros{}, n)
	z.Close()
	return Change(func(_ *http.Request, a *Answer) {
		a.Header.Set("Content-Encoding", "gzip")
		a.Body = b.Bytes()
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Hang reads the request and never answers.
func Hang() Lie {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	}
}

// Stall sends the first n bytes of the honest answer and nothing more.
func Stall(n int) Lie { return partly(n, func(r *http.Request) { <-r.Context().Done() }) }

// Truncate ends the connection after n bytes of the honest answer.
func Truncate(n int) Lie { return partly(n, func(*http.Request) { panic(http.ErrAbortHandler) }) }

func partly(n int, then func(*http.Request)) Lie {
	return func(honest http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			recorder := httptest.NewRecorder()
			honest.ServeHTTP(recorder, r)
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(recorder.Body.Len()))
			w.Write(recorder.Body.Bytes()[:min(n, recorder.Body.Len())])
			w.(http.Flusher).Flush()
			then(r)
		})
	}
}

// Endless answers with a text and then with a piece over and over.
func Endless(text, piece string) Lie {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, text)
			chunk := []byte(strings.Repeat(piece, 1+(32<<10)/len(piece)))
			for r.Context().Err() == nil {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		})
	}
}
