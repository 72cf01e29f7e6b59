package capsule

import (
	"testing"
)

func TestShapesOfScalars(t *testing.T) {
	for _, c := range []struct {
		name  string
		value string
		valid bool
	}{
		{"agentId", `"did:agent:` + codeA + `"`, true},
		{"agentId", `"did:agent:` + notCanon + `"`, true},
		{"agentId", `"did:agent:x"`, false},
		{"agentId", `"` + codeA + `"`, false},
		{"eventHash", `"` + codeA + `"`, true},
		{"eventHash", `"` + codeA + `\n"`, false},
		{"eventHash", `"` + codeA[1:] + `+"`, false},
		{"eventHash", `1`, false},
		{"signature", `"` + codeA + codeB + `"`, true},
		{"signature", `"` + codeA + `"`, false},
		{"timestampMs", `0`, true},
		{"timestampMs", `9007199254740991`, true},
		{"timestampMs", `1.0`, true},
		{"timestampMs", `1.5`, false},
		{"timestampMs", `-1`, false},
		{"timestampMs", `"1"`, false},
		{"nonce", `0`, false},
		{"nonce", `1`, true},
		{"nonNegativeInteger", `0`, true},
		{"nonEmptyString", `""`, false},
		{"nonEmptyString", `" "`, true},
		{"nonEmptyString", `null`, false},
		{"httpsUrl", `"https://a"`, true},
		{"httpsUrl", `"https://a?x@y"`, true},
		{"httpsUrl", `"https://a@b"`, false},
		{"httpsUrl", `"https://a/\r"`, false},
		{"httpsUrl", `"https://a/\u2029"`, false},
		{"httpsUrl", `"https://#"`, false},
		{"endpointUrl", `"https://a/b"`, true},
		{"endpointUrl", `"https://a/b?c"`, false},
		{"endpointUrl", `"https://a#"`, false},
		{"endpointUrl", `"https:///b"`, false},
		{"endpointUrl", `"https://a/@b"`, true},
		{"httpsOrigin", `"https://foo!bar.example"`, true},
		{"httpsOrigin", `"https://a:444"`, true},
		{"httpsOrigin", `"https://a:443"`, false},
		{"httpsOrigin", `"https://a/"`, false},
		{"httpsOrigin", `"https://a\u00a0b"`, false},
		{"httpsOrigin", `"https://a\n"`, false},
		{"extra", `{"a":null}`, true},
		{"extra", `[]`, false},
		{"tag", `"a"`, true},
		{"tag", `"-a"`, false},
		{"language", `"und"`, true},
		{"language", `"zh--CN"`, false},
		{"eventType", `"knowledge.assess"`, true},
		{"eventType", `"knowledge.vote"`, false},
		{"kind", `"negative_result"`, true},
		{"kind", `""`, false},
		{"relationKind", `"contains"`, true},
		{"relationKind", `"addresses "`, false},
		{"verdict", `"supports"`, true},
		{"verdict", `"contradicts"`, false},
		{"profiles", `[]`, true},
		{"profiles", `{}`, false},
		{"relation", `{"relation":"tests","target":"` + notCanon + `"}`, true},
		{"relation", `{"relation":"tests"}`, false},
		{"knowledgeEvent", `{}`, false},
		{"knowledgeEvent", `[]`, false},
		{"knowledgeEvent", `{"type":"knowledge.publish"}`, false},
	} {
		shape, ok := Shapes()[c.name]
		if !ok {
			t.Fatalf("no shape %s", c.name)
		}
		if r := shape(mustParse(t, c.value)); (r == nil) != c.valid {
			t.Errorf("%s of %s: %v, want valid %v", c.name, c.value, r, c.valid)
		}
	}
}

func TestShapesBelongToTheCaller(t *testing.T) {
	clear(Shapes())
	if len(Shapes()) < 30 {
		t.Fatal("a caller emptied the table")
	}
}

func TestShapeCombinators(t *testing.T) {
	number := IntegerRange(1, 3)
	for _, c := range []struct {
		name, value, path string
		shape             Shape
		valid             bool
	}{
		{"open object takes others", `{"a":1,"b":2}`, "", OpenObject(Required("a", number)), true},
		{"open object keeps its own", `{"a":4}`, "/a", OpenObject(Required("a", number)), false},
		{"closed object refuses others", `{"a":1,"b":2}`, "/b", Object(Required("a", number)), false},
		{"absent", `{}`, "/a", Object(Optional("b", number), Required("a", number)), false},
		{"not an object", `[]`, "", OpenObject(), false},
		{"map", `{"a":1,"b":3}`, "", MapOf(number), true},
		{"map with a bad member", `{"a":1,"x/y":0}`, "/x~1y", MapOf(number), false},
		{"map that is a list", `[1]`, "", MapOf(number), false},
		{"list too short", `[1]`, "", ArrayOf(number, 2, 3, false), false},
		{"list too long", `[1,2,3]`, "", ArrayOf(number, 0, 2, false), false},
		{"list at its bounds", `[1,2]`, "", ArrayOf(number, 2, 2, true), true},
		{"list with a repeat", `[1,2,1.0]`, "/2", ArrayOf(number, 0, NoMax, true), false},
		{"list with a permitted repeat", `[1,1]`, "", ArrayOf(number, 0, NoMax, false), true},
		{"list with a bad item", `[1,true]`, "/1", ArrayOf(number, 0, NoMax, false), false},
		{"truth", `true`, "", BoolShape, true},
		{"no truth", `"true"`, "", BoolShape, false},
		{"all", `2`, "", All(number, IntegerRange(2, 9)), true},
		{"not all", `1`, "", All(number, IntegerRange(2, 9)), false},
		{"one name", `"a"`, "", Enum("a"), true},
		{"not that name", `"b"`, "", Enum("a"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.shape(mustParse(t, c.value))
			if (r == nil) != c.valid {
				t.Fatalf("%v, want valid %v", r, c.valid)
			}
			if r != nil && (r.Path != c.path || r.Detail == "") {
				t.Fatalf("path %q, detail %q, want path %q", r.Path, r.Detail, c.path)
			}
		})
	}
}
