package wire

import (
	"io"
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

func TestOpenPieceShapes(t *testing.T) {
	r := record(t, 7)
	envelope, text := r.Event.Envelope().Text(), string(r.Append(nil))
	for _, test := range []struct {
		name, text string
		seq        uint64
		step       fault.Step
		path       string
	}{
		{"envelope", envelope, 0, 0, ""},
		{"record (8.3)", text, 7, 0, ""},
		{"record with unknown members (8.3)", strings.Replace(text, `"seq"`, `"hash":1,"event":2,"signature":3,"result":[],"seq"`, 1), 7, 0, ""},
		{"search hit (9.5)", `{"record":` + text + `,"explanation":"x"}`, 7, 0, ""},
		{"record without seq", strings.Replace(text, `,"seq":7`, "", 1), 0, fault.StepShape, "/seq"},
		{"record with seq 0", strings.Replace(text, `"seq":7`, `"seq":0`, 1), 0, fault.StepShape, "/seq"},
		{"record with a negative time", strings.Replace(text, `"accepted_at":5007`, `"accepted_at":-1`, 1), 0, fault.StepShape, "/accepted_at"},
		{"hit of no record", `{"record":7}`, 0, fault.StepShape, "/record"},
		{"record of no envelope", `{"envelope":7,"seq":1,"accepted_at":1}`, 0, fault.StepShape, "/envelope"},
		{"envelope with another member (8.1)", strings.Replace(envelope, "{", `{"seq":1,`, 1), 0, fault.StepShape, ""},
		{"envelope that lacks a member", `{"hash":"x","event":{}}`, 0, fault.StepShape, "/signature"},
		{"error document", `{"error":{"code":"not_found","message":"no"}}`, 0, fault.StepShape, ""},
		{"something else", `{"a":1}`, 0, fault.StepShape, ""},
		{"no strict JSON", `{"a":1,"a":2}`, 0, fault.StepParse, ""},
		{"NUL in a string", "{\"a\":\"\x00\"}", 0, fault.StepParse, ""},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", 0, fault.StepParse, ""},
		{"tampered inside of a hit", `{"record":` + strings.Replace(text, "title 7", "title 8", 1) + `}`, 7, fault.StepHash, "/record/envelope/hash"},
	} {
		t.Run(test.name, func(t *testing.T) {
			item := OpenPiece(Piece{Text: []byte(test.text), Where: "line 3"})
			if item.Where != "line 3" {
				t.Errorf("where %q", item.Where)
			}
			if test.step != 0 {
				if item.Refusal == nil || item.Refusal.Step != test.step || item.Offer.Event() != nil {
					t.Fatalf("got %+v, %v", item, item.Refusal)
				}
				if test.path != "" && item.Refusal.Path != test.path {
					t.Errorf("path %q, want %q", item.Refusal.Path, test.path)
				}
				return
			}
			if item.Refusal != nil || item.Offer.Event() == nil {
				t.Fatalf("refused: %v", item.Refusal)
			}
			if item.Seq != test.seq || item.Seq != 0 && item.AcceptedAt != 5007 {
				t.Errorf("seq %d at %d", item.Seq, item.AcceptedAt)
			}
			if got := item.Offer.Envelope().Text(); got != envelope {
				t.Errorf("the envelope's text changed:\n%q\n%q", got, envelope)
			}
		})
	}
}

// TestOpenPieceKeepsPayloadRefusals: a store answers a resubmission before it
// looks at the payload (8.1 steps 2 and 3), so the offer stays.
func TestOpenPieceKeepsPayloadRefusals(t *testing.T) {
	v, _ := identity.Parse([]byte(`{"target":"x"}`))
	e, err := identity.Sign(identity.TestKey(0x21), identity.Draft{Protocol: capsule.Protocol,
		Type: "knowledge.retract", CreatedAt: 1, Nonce: 1, Payload: v}, capsule.Format())
	if err != nil {
		t.Fatal(err)
	}
	item := OpenPiece(Piece{Text: []byte(e.Text())})
	if item.Refusal != nil || item.Offer.Envelope().ID() != e.ID() || item.Offer.Event() != nil {
		t.Fatalf("got %+v", item)
	}
	if r := item.Offer.Refusal(); r == nil || r.Step != fault.StepPayload {
		t.Errorf("got %v", r)
	}
}

func TestOpenPieceTellsWhyItWasNotCut(t *testing.T) {
	item := OpenPiece(Piece{Where: "line 9", Err: fault.Refuse(fault.StepLimit, "", "large")})
	if item.Refusal == nil || item.Refusal.Code != fault.PayloadTooLarge || item.Where != "line 9" {
		t.Errorf("got %+v", item)
	}
}

// TestSplitDocuments splits what a service answers and proves every record in it.
func TestSplitDocuments(t *testing.T) {
	all := records(t, 1, 2, 3)
	stamp := Stamp{Service: origin, Checkpoint: 3, AsOf: 9}
	query := QueryResponse{Stamp: stamp, Records: all[:2], Next: "more"}.Append(nil)
	batch := BatchResponse{Stamp: stamp, Records: all[2:]}.Append([]byte("\n"))
	search := SearchResponse{Stamp: stamp, Hits: []Hit{{all[0], "words"}, {all[1], ""}},
		Ranking: Ranking{Lexical, "r"}, Coverage: Coverage{Exhaustive: true}}.Append([]byte("\n"))
	s := NewSplitter(strings.NewReader(string(query)+string(batch)+string(search)), 0)
	want := []uint64{1, 2, 3, 1, 2}
	for {
		p, err := s.Next()
		if err == io.EOF {
			break
		}
		item := OpenPiece(p)
		if item.Refusal != nil || len(want) == 0 || item.Seq != want[0] {
			t.Fatalf("%s: %v, seq %d, still %v", p.Where, item.Refusal, item.Seq, want)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Errorf("missing %v", want)
	}
}

func FuzzOpenPiece(f *testing.F) {
	r := record(f, 1)
	f.Add(r.Append(nil))
	f.Add([]byte(r.Event.Envelope().Text()))
	f.Add([]byte(`{"record":` + string(r.Append(nil)) + `}`))
	f.Add([]byte(`{"error":{}}`))
	f.Add([]byte(`{"envelope":{},"seq":1e0,"accepted_at":0}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		item := OpenPiece(Piece{Text: text})
		if proven := !item.Offer.Envelope().IsZero(); proven == (item.Refusal != nil) {
			t.Fatalf("neither proven nor refused, or both: %+v", item)
		}
	})
}
