package desk

import (
	"encoding/base64"

	"akx/view/capsule"
	"akx/view/identity"
)

// Reading gives the payload as its reader will see it: a capsule.PublishPayload,
// AssessPayload or RetractPayload. What is not right yet is there as far as it goes;
// relations and target are not in it.
func (d Draft) Reading() any {
	p := &d.Payload
	context := capsule.Context{Scope: p.Context.Scope, Conditions: p.Context.Conditions, Limitations: p.Context.Limitations}
	switch d.Type {
	case capsule.Assess:
		verdict, _ := capsule.ParseVerdict(p.Verdict)
		return capsule.AssessPayload{
			License: p.License, Verdict: verdict, Summary: p.Title, Context: context, Basis: p.Basis,
			Evidence: readEvidence(p.Evidence), Reproduction: p.Reproduction.reading(), Profiles: readProfiles(p.Profiles), Extra: readObject(p.Extra),
		}
	case capsule.Retract:
		return capsule.RetractPayload{Reason: p.Title, Extra: readObject(p.Extra)}
	}
	kind, _ := capsule.ParseKind(p.Kind)
	return capsule.PublishPayload{
		License: p.License, Kind: kind, Title: p.Title, Statement: p.Statement, Language: p.Language, Context: context, Basis: p.Basis,
		Evidence: readEvidence(p.Evidence), Reproduction: p.Reproduction.reading(), Tags: p.Tags, Profiles: readProfiles(p.Profiles), Extra: readObject(p.Extra),
	}
}

func readEvidence(all []Evidence) []capsule.Evidence {
	var out []capsule.Evidence
	for _, e := range all {
		role, _ := capsule.ParseRole(e.Role)
		digest, _ := identity.ParseDigest(e.Digest)
		out = append(out, capsule.Evidence{URL: e.URL, Description: e.Description, Digest: digest, MediaType: e.MediaType, Role: role})
	}
	return out
}

func (r Reproduction) reading() *capsule.Reproduction {
	if !r.present() {
		return nil
	}
	out := &capsule.Reproduction{Environment: r.Environment, Expected: r.Expected, Observed: r.Observed}
	for _, step := range r.Steps {
		out.Steps = append(out.Steps, step.Text)
	}
	return out
}

func readProfiles(all []Profile) []capsule.Profile {
	var out []capsule.Profile
	for _, p := range all {
		digest, _ := identity.ParseDigest(p.Digest)
		out = append(out, capsule.Profile{URL: p.URL, Digest: digest, Data: readObject(p.Data)})
	}
	return out
}

// readObject is the value of JSON text; absent where it is none yet.
func readObject(text string) identity.Value {
	if text == "" {
		return identity.Value{}
	}
	v, err := identity.Parse([]byte(text))
	if err != nil {
		return identity.Value{}
	}
	return v
}

// ContentMark stands for what would be signed and by whom, times and nonce apart: two
// drafts have one mark where a signature of either makes the same words public.
func (d Draft) ContentMark() string {
	sum := identity.SHA3(d.Canonical(0, 0))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}
