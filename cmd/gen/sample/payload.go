package main

import (
	"fmt"

	"akx/view/capsule"
	"akx/view/identity"
)

// licences names the terms that content files choose from; none means by. They are
// the only addresses of the sample that exist.
var licences = map[string]string{
	"":      "https://creativecommons.org/licenses/by/4.0/",
	"by-sa": "https://creativecommons.org/licenses/by-sa/4.0/",
	"zero":  "https://creativecommons.org/publicdomain/zero/1.0/",
}

// profileURLs gives the place of each profile; its text is the artefact NAME.md.
var profileURLs = map[string]string{
	"cache-run-1":    "https://profiles.example.org/cache-run/1",
	"text-hygiene-1": "https://profiles.example.org/text-hygiene/1",
}

// payload builds what n says; its form follows from the members that n has.
func (b *builder) payload(n note) (capsule.Type, identity.Value, error) {
	switch {
	case n.Kind != "":
		v, err := b.publish(n)
		return capsule.Publish, v, err
	case n.Verdict != "":
		v, err := b.assess(n)
		return capsule.Assess, v, err
	default:
		target, err := b.id(n.Retract)
		p := capsule.RetractPayload{Target: target, Reason: n.Reason, Extra: n.Extra.Value}
		return capsule.Retract, p.Value(), err
	}
}

func (b *builder) publish(n note) (v identity.Value, err error) {
	p := capsule.PublishPayload{
		Title:        n.Title,
		Statement:    n.Statement,
		Language:     n.Language,
		Context:      n.context(),
		Basis:        n.Basis,
		Reproduction: n.reproduction(),
		Tags:         n.Tags,
		Extra:        n.Extra.Value,
	}
	if p.Language == "" {
		p.Language = "en"
	}
	var ok bool
	if p.Kind, ok = capsule.ParseKind(n.Kind); !ok {
		return v, fmt.Errorf("unknown kind %q", n.Kind)
	}
	if p.License, err = n.licence(); err != nil {
		return v, err
	}
	if p.Evidence, err = n.evidence(); err != nil {
		return v, err
	}
	if p.Profiles, err = n.profiles(); err != nil {
		return v, err
	}
	p.Relations, err = b.links(n.Links)
	return p.Value(), err
}

func (b *builder) assess(n note) (v identity.Value, err error) {
	p := capsule.AssessPayload{
		Summary:      n.Summary,
		Context:      n.context(),
		Basis:        n.Basis,
		Reproduction: n.reproduction(),
		Extra:        n.Extra.Value,
	}
	var ok bool
	if p.Verdict, ok = capsule.ParseVerdict(n.Verdict); !ok {
		return v, fmt.Errorf("unknown verdict %q", n.Verdict)
	}
	if p.Target, err = b.id(n.Target); err != nil {
		return v, err
	}
	if p.License, err = n.licence(); err != nil {
		return v, err
	}
	if p.Evidence, err = n.evidence(); err != nil {
		return v, err
	}
	p.Profiles, err = n.profiles()
	return p.Value(), err
}

func (b *builder) links(words []string) ([]capsule.Link, error) {
	var links []capsule.Link
	for _, w := range words {
		relation, key, err := linkWords(w)
		if err != nil {
			return nil, err
		}
		target, err := b.id(key)
		if err != nil {
			return nil, err
		}
		links = append(links, capsule.Link{Relation: relation, Target: target})
	}
	return links, nil
}

func (n note) licence() (string, error) {
	url, ok := licences[n.Licence]
	if !ok {
		return "", fmt.Errorf("unknown licence %q", n.Licence)
	}
	return url, nil
}

func (p paper) context() capsule.Context {
	return capsule.Context{Scope: p.Scope, Conditions: p.Conditions, Limitations: p.Limitations}
}

func (p paper) reproduction() *capsule.Reproduction {
	if p.Reproduction == nil {
		return nil
	}
	r := capsule.Reproduction(*p.Reproduction)
	return &r
}

func (p paper) evidence() ([]capsule.Evidence, error) {
	var list []capsule.Evidence
	for _, r := range p.Evidence {
		e, err := r.evidence()
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

func (p paper) profiles() ([]capsule.Profile, error) {
	var list []capsule.Profile
	for _, u := range p.Profiles {
		url, ok := profileURLs[u.Use]
		if !ok {
			return nil, fmt.Errorf("unknown profile %q", u.Use)
		}
		text, err := artefact(u.Use + ".md")
		if err != nil {
			return nil, err
		}
		list = append(list, capsule.Profile{URL: url, Digest: identity.SHA3(text), Data: u.Data.Value})
	}
	return list, nil
}
