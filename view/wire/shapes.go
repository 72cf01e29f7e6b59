package wire

import (
	"maps"
	"slices"
	"unicode/utf8"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// Bounds of requests and responses (9.2 to 9.5).
const (
	DefaultQueryLimit  = 100
	MaxQueryLimit      = 1000
	MaxBatch           = 100
	DefaultSearchLimit = 20
	MaxSearchLimit     = 100
	MaxPeers           = 32
)

var events = capsule.Shapes()

// The shapes of requests and responses, as the protocol's schema defines them.
var (
	textShape   = events["nonEmptyString"]
	wholeShape  = events["nonNegativeInteger"]
	timeShape   = events["timestampMs"]
	originShape = events["httpsOrigin"]
	hashShape   = events["eventHash"]
	recordShape = events["acceptanceRecord"]

	queryTextShape = capsule.StringShape(func(s string) bool {
		n := utf8.RuneCountInString(s)
		return n >= 1 && n <= capsule.MaxTextScalars
	}, "must be 1 to 1024 characters")
	modeShape    = capsule.Enum(Lexical.String(), Semantic.String(), Hybrid.String())
	filtersShape = capsule.Object(filterFields()...)

	queryRequestShape = capsule.Object(append(filterFields(),
		capsule.Optional("after_seq", wholeShape),
		capsule.Optional("limit", capsule.IntegerRange(1, MaxQueryLimit)),
		capsule.Optional("cursor", textShape))...)
	queryResponseShape = capsule.OpenObject(append(stampFields(),
		capsule.Required("result", capsule.ArrayOf(recordShape, 0, MaxQueryLimit, false)),
		capsule.Optional("next_cursor", textShape))...)

	batchRequestShape = capsule.Object(
		capsule.Required("hashes", capsule.ArrayOf(hashShape, 1, MaxBatch, true)))
	batchResponseShape = capsule.All(noCursor, capsule.OpenObject(append(stampFields(),
		capsule.Required("result", capsule.ArrayOf(recordShape, 0, MaxBatch, false)),
		capsule.Required("missing", missingShape))...))
	missingShape = capsule.ArrayOf(hashShape, 0, MaxBatch, true)

	searchRequestShape = capsule.Object(
		capsule.Required("text", queryTextShape),
		capsule.Required("mode", modeShape),
		capsule.Optional("filters", filtersShape),
		capsule.Optional("limit", capsule.IntegerRange(1, MaxSearchLimit)))
	searchHitShape = capsule.OpenObject(
		capsule.Required("record", recordShape),
		capsule.Optional("explanation", textShape))
	rankingShape = capsule.OpenObject(
		capsule.Required("mode", modeShape),
		capsule.Required("id", textShape))
	coverageShape = capsule.All(capsule.OpenObject(
		capsule.Required("exhaustive", capsule.BoolShape),
		capsule.Required("reasons", capsule.ArrayOf(capsule.Enum(reasons...), 0, capsule.NoMax, true))),
		coverageRule)
	searchResponseShape = capsule.All(noCursor, capsule.OpenObject(append(stampFields(),
		capsule.Required("result", capsule.ArrayOf(searchHitShape, 0, MaxSearchLimit, false)),
		capsule.Required("ranking", rankingShape),
		capsule.Required("coverage", coverageShape))...), modeCoverageRule)
)

// reasons are why coverage is not exhaustive (9.5).
var reasons = []string{"candidate_limit", "index_lag", "approximate", "timeout"}

func filterFields() []capsule.Field {
	shapes := map[string]string{
		"actor": "agentId", "type": "eventType", "kind": "kind", "target": "eventHash", "relation": "relationKind",
		"tag": "tag", "profile": "eventHash", "language": "language", "verdict": "verdict",
		"created_from": "timestampMs", "created_before": "timestampMs",
	}
	names := capsule.FilterNames()
	fields := make([]capsule.Field, 0, len(names)+3)
	for _, name := range names {
		fields = append(fields, capsule.Optional(name, events[shapes[name]]))
	}
	return fields
}

func stampFields() []capsule.Field {
	return []capsule.Field{
		capsule.Required("service", originShape),
		capsule.Required("checkpoint", wholeShape),
		capsule.Required("as_of", timeShape),
	}
}

// noCursor holds for answers that never have a next page.
func noCursor(v identity.Value) *fault.Refusal {
	if _, ok := v.Get("next_cursor"); ok {
		return capsule.Within(capsule.Misshapen("is not allowed here"), "next_cursor")
	}
	return nil
}

// coverageRule ties reasons to exhaustive (9.5).
func coverageRule(v identity.Value) *fault.Refusal {
	exhaustive, _ := v.Get("exhaustive")
	list, _ := v.Get("reasons")
	switch {
	case exhaustive.Bool() && len(list.Items()) > 0:
		return capsule.Within(capsule.Misshapen("must be empty when exhaustive"), "reasons")
	case !exhaustive.Bool() && len(list.Items()) == 0:
		return capsule.Within(capsule.Misshapen("must say why the answer is not exhaustive"), "reasons")
	}
	return nil
}

// modeCoverageRule is what only lexical answers may claim (9.5).
func modeCoverageRule(v identity.Value) *fault.Refusal {
	ranking, _ := v.Get("ranking")
	mode, _ := ranking.Get("mode")
	if mode.Text() == Lexical.String() {
		return nil
	}
	coverage, _ := v.Get("coverage")
	list, _ := coverage.Get("reasons")
	if !slices.ContainsFunc(list.Items(), func(r identity.Value) bool { return r.Text() == "approximate" }) {
		return capsule.Within(capsule.Within(capsule.Misshapen("must include approximate in this mode"), "reasons"), "coverage")
	}
	return nil
}

// Shapes gives the shape of every $defs name of the protocol's schema, in a map of
// the caller's own.
func Shapes() map[string]capsule.Shape {
	all := capsule.Shapes()
	maps.Copy(all, map[string]capsule.Shape{
		"discoveryDocument": discoveryShape,
		"queryText":         queryTextShape,
		"searchMode":        modeShape,
		"searchFilters":     filtersShape,
		"queryRequest":      queryRequestShape,
		"queryResponse":     queryResponseShape,
		"batchRequest":      batchRequestShape,
		"batchResponse":     batchResponseShape,
		"searchRequest":     searchRequestShape,
		"searchHit":         searchHitShape,
		"ranking":           rankingShape,
		"coverage":          coverageShape,
		"searchResponse":    searchResponseShape,
	})
	return all
}
