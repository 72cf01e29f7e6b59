package capsule

import (
	"maps"
	"strings"

	"akx/view/fault"
	"akx/view/identity"
)

// The scalar shapes of the schema.
var (
	agentIDShape = StringShape(func(s string) bool {
		key, ok := strings.CutPrefix(s, identity.AgentPrefix)
		return ok && isCode(key, 43)
	}, "must be a full Agent ID, did:agent: and 43 characters")
	eventHashShape = StringShape(func(s string) bool { return isCode(s, 43) },
		"must be 43 characters of base64url")
	signatureShape = StringShape(func(s string) bool { return isCode(s, 86) },
		"must be 86 characters of base64url")
	timestampShape = IntegerRange(0, identity.MaxSafeInteger)
	nonceShape     = IntegerRange(1, identity.MaxSafeInteger)
	textShape      = StringShape(isNonEmpty, "must not be empty")
	httpsShape     = StringShape(isHTTPSShape, urlDetail)
	endpointShape  = StringShape(isEndpointShape, "must be an HTTPS URL without query or fragment")
	originShape    = StringShape(isOriginShape, "must be an HTTPS origin without a path")
	tagShape       = StringShape(isTag, tagDetail)
	languageShape  = StringShape(isLanguage, languageDetail)
	typeShape      = Enum(typeNames[1:]...)
	kindShape      = Enum(kindNames[1:]...)
	relationNamed  = Enum(relationNames[1:]...)
	verdictShape   = Enum(verdictNames[1:]...)
)

const (
	urlDetail      = "must be an absolute HTTPS URL with a host and no user name"
	tagDetail      = "must be 1 to 64 of a-z, 0-9, '.', '_' and '-', beginning with a letter or digit"
	languageDetail = "must be a language label such as en, zh-CN or und"
)

// The compound shapes of the schema.
var (
	contextShape = Object(
		Required("scope", textShape),
		Required("conditions", ArrayOf(textShape, 0, NoMax, true)),
		Required("limitations", ArrayOf(textShape, 0, NoMax, true)))

	reproductionShape = Object(
		Required("environment", textShape),
		Required("steps", ArrayOf(textShape, 1, NoMax, false)),
		Required("expected", textShape),
		Optional("observed", textShape))

	evidenceShape = All(Object(
		Required("url", httpsShape),
		Required("description", textShape),
		Optional("digest", eventHashShape),
		Optional("media_type", textShape),
		Optional("role", Enum(roleNames[1:]...))), outputHasDigest)

	evidenceList = ArrayOf(evidenceShape, 0, NoMax, true)

	relationShape = Object(
		Required("relation", relationNamed),
		Required("target", eventHashShape))

	profileReferenceShape = Object(
		Required("url", httpsShape),
		Required("digest", eventHashShape))

	profileBindingShape = Object(
		Required("profile", profileReferenceShape),
		Required("data", AnyObject))

	profilesShape = ArrayOf(profileBindingShape, 0, NoMax, true)

	publishShape = All(Object(
		Required("license", httpsShape),
		Required("kind", kindShape),
		Required("title", textShape),
		Required("statement", textShape),
		Required("language", languageShape),
		Required("context", contextShape),
		Required("basis", textShape),
		Optional("evidence", evidenceList),
		Optional("reproduction", reproductionShape),
		Optional("relations", ArrayOf(relationShape, 0, NoMax, true)),
		Optional("tags", ArrayOf(tagShape, 0, NoMax, true)),
		Optional("profiles", profilesShape),
		Optional("extra", AnyObject)), kindRules)

	assessShape = All(Object(
		Required("license", httpsShape),
		Required("target", eventHashShape),
		Required("verdict", verdictShape),
		Required("summary", textShape),
		Required("context", contextShape),
		Required("basis", textShape),
		Optional("evidence", evidenceList),
		Optional("reproduction", reproductionShape),
		Optional("profiles", profilesShape),
		Optional("extra", AnyObject)), verdictRules)

	retractShape = Object(
		Required("target", eventHashShape),
		Required("reason", textShape),
		Optional("extra", AnyObject))

	publishEventShape = eventShape(Publish, publishShape)
	assessEventShape  = eventShape(Assess, assessShape)
	retractEventShape = eventShape(Retract, retractShape)

	envelopeShape = Object(
		Required("hash", eventHashShape),
		Required("event", knowledgeEventShape),
		Required("signature", signatureShape))

	recordShape = OpenObject(
		Required("envelope", envelopeShape),
		Required("accepted_at", timestampShape),
		Required("seq", nonceShape))
)

func eventShape(t Type, payload Shape) Shape {
	return Object(
		Required("protocol", Enum(Protocol)),
		Required("type", Enum(t.String())),
		Required("actor", agentIDShape),
		Required("created_at", timestampShape),
		Required("nonce", nonceShape),
		Required("payload", payload))
}

// knowledgeEventShape takes the shape that the event's type names, so that a
// refusal speaks of the one that was meant.
func knowledgeEventShape(v identity.Value) *fault.Refusal {
	named, _ := v.Get("type")
	switch t, _ := ParseType(named.Text()); t {
	case Assess:
		return assessEventShape(v)
	case Retract:
		return retractEventShape(v)
	case Publish:
		return publishEventShape(v)
	}
	if r := AnyObject(v); r != nil {
		return r
	}
	return Within(typeShape(named), "type")
}

// outputHasDigest is the rule of 5.1 for one evidence item.
func outputHasDigest(v identity.Value) *fault.Refusal {
	if !isOutput(v) {
		return nil
	}
	if _, ok := v.Get("digest"); ok {
		return nil
	}
	return Within(misshapen("digest is required for output"), "digest")
}

func isOutput(evidence identity.Value) bool {
	role, _ := evidence.Get("role")
	return role.Text() == RoleOutput.String()
}

// kindRules are the rules of 4.1 between a publication's kind and its lists.
func kindRules(v identity.Value) *fault.Refusal {
	kind, _ := v.Get("kind")
	evidence, _ := v.Get("evidence")
	if kind.Text() == Resource.String() && !hasItem(evidence, isOutput) {
		return Within(misshapen("resource needs at least one evidence item with the role output"), "evidence")
	}
	relations, _ := v.Get("relations")
	collection := kind.Text() == Collection.String()
	for i, item := range relations.Items() {
		if isContains(item) && !collection {
			return Within(WithinItem(Within(misshapen("contains is only for collection"), "relation"), i), "relations")
		}
	}
	if collection && !hasItem(relations, isContains) {
		return Within(misshapen("collection needs at least one contains relation"), "relations")
	}
	return nil
}

func isContains(relation identity.Value) bool {
	named, _ := relation.Get("relation")
	return named.Text() == Contains.String()
}

func hasItem(list identity.Value, is func(identity.Value) bool) bool {
	for _, item := range list.Items() {
		if is(item) {
			return true
		}
	}
	return false
}

// NeedsObserved reports whether a verdict reports something that was carried out,
// so that reproduction and its observed member are required (6.2).
func (v Verdict) NeedsObserved() bool {
	return v == VerdictReproduced || v == VerdictNotReproduced || v == VerdictApplied
}

// verdictRules is the rule of 6.2 between a verdict and its reproduction.
func verdictRules(v identity.Value) *fault.Refusal {
	named, _ := v.Get("verdict")
	if verdict, _ := ParseVerdict(named.Text()); !verdict.NeedsObserved() {
		return nil
	}
	reproduction, ok := v.Get("reproduction")
	if !ok {
		return Within(misshapen("reproduction is required for "+named.Text()), "reproduction")
	}
	if _, ok := reproduction.Get("observed"); !ok {
		return Within(Within(misshapen("observed is required for "+named.Text()), "observed"), "reproduction")
	}
	return nil
}

// shapes has one entry for each $defs name that concerns events.
var shapes = map[string]Shape{
	"agentId":            agentIDShape,
	"eventHash":          eventHashShape,
	"signature":          signatureShape,
	"timestampMs":        timestampShape,
	"nonce":              nonceShape,
	"nonNegativeInteger": timestampShape,
	"nonEmptyString":     textShape,
	"httpsUrl":           httpsShape,
	"endpointUrl":        endpointShape,
	"httpsOrigin":        originShape,
	"extra":              AnyObject,
	"tag":                tagShape,
	"language":           languageShape,
	"eventType":          typeShape,
	"kind":               kindShape,
	"relationKind":       relationNamed,
	"verdict":            verdictShape,
	"context":            contextShape,
	"reproduction":       reproductionShape,
	"evidence":           evidenceShape,
	"relation":           relationShape,
	"profileReference":   profileReferenceShape,
	"profileBinding":     profileBindingShape,
	"profiles":           profilesShape,
	"publishPayload":     publishShape,
	"assessPayload":      assessShape,
	"retractPayload":     retractShape,
	"publishEvent":       publishEventShape,
	"assessEvent":        assessEventShape,
	"retractEvent":       retractEventShape,
	"knowledgeEvent":     knowledgeEventShape,
	"signedEnvelope":     envelopeShape,
	"acceptanceRecord":   recordShape,
}

// Shapes gives the shapes of events by their $defs name, in a map of the caller's
// own. Package wire adds those of requests and responses.
func Shapes() map[string]Shape { return maps.Clone(shapes) }
