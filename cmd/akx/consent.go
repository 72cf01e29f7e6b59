package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"akx/cache/keyring"
	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// consent is what the user says beside the draft: who signs, where it goes, and that
// it may be public for good.
type consent struct {
	key                     *once
	to, allow, confirm      *many
	mark                    *once
	yes, yesTarget, yesUsed bool
	fd                      *once
	named                   identity.ID // the target that the command itself names in full
}

func addConsent(cmd *cobra.Command) *consent {
	c := &consent{key: &once{check: keyring.CheckName}, to: &many{}, allow: &many{}, confirm: &many{}, mark: &once{}}
	f := cmd.Flags()
	f.Var(c.key, "key", "the key that signs (default: that of the draft's Agent ID, else the default key)")
	f.Var(c.to, "to", "queue it for this service, by name or origin; may be given several times")
	f.Var(c.allow, "allow-finding", "say that the place with this mark may be public; may be given several times")
	f.Var(c.mark, "if", "sign only what this mark stands for: the text and the signer that were shown with it")
	f.Var(c.confirm, "confirm", "the first 4 or more characters of a target that is withdrawn or superseded; may be given several times")
	f.BoolVar(&c.yes, "yes-publish", false, "sign: this makes it public and permanent, and I may disclose it")
	f.BoolVar(&c.yesTarget, "yes-target", false, "sign although the target was corrected or retracted")
	f.BoolVar(&c.yesUsed, "yes-used", false, "say that what is reported as applied was actually used")
	c.fd = addPassphrase(cmd)
	return c
}

const signHelp = `Signing is public and permanent: whoever has the signed text can keep it, show it and
prove who signed it, and a retraction later cannot remove copies. Nothing is sent by
signing: --to queues it for services, akx submit sends.

Without --yes-publish nothing is signed: what would be signed and disclosed is shown, as
its readers will see it, with the ID and the nonce that it would have now, and with a mark
of its text and signer. With --if MARK nothing else is signed, whatever was changed since
by another program.

Each place that may hold a secret or private material has to be answered with
--allow-finding MARK, a target that was corrected or retracted with --yes-target, and the
verdict applied with --yes-used. The first characters of each target that is withdrawn or
superseded are asked for on a terminal; a script gives them with --confirm PREFIX.

` + passphraseHelp

// same checks that the draft is the one whose mark was given.
func (c *consent) same(d desk.Draft) error {
	if !c.mark.given || c.mark.value == d.ContentMark() {
		return nil
	}
	return &fault.Usage{Detail: "nothing was signed: " + c.mark.value + " is the mark of another text, or of another signer",
		Hint: "look at what stands there now: akx sign without --yes-publish shows it"}
}

// confirmed gives the first characters of each target that has to be confirmed, as
// they were given or are typed now.
func (a *app) confirmed(ctx context.Context, c *consent, targets []identity.ID) ([]string, error) {
	var out []string
	for _, id := range targets {
		full := id.String()
		given := slices.ContainsFunc(c.confirm.values, func(typed string) bool { return begins(id, typed) })
		if !given && a.asks() {
			if _, err := a.stderr.WriteString("First 4 characters of the target " + full + ": "); err != nil {
				return nil, err
			}
			typed, err := awaited(ctx, a.readLine)
			if err != nil {
				return nil, err
			}
			if !begins(id, string(typed)) {
				return nil, &fault.Usage{Detail: "nothing was signed: what was typed does not begin the ID of the target " + full}
			}
		}
		out = append(out, full[:explore.ConfirmLength])
	}
	return out, nil
}

// covers checks that nothing stands against a signature but what was agreed to. All that
// is missing is named at once; asks says that somebody can be asked for confirmations.
func (c *consent) covers(d desk.Draft, shown explore.Preview, asks bool) error {
	check := shown.Check
	if err := c.same(shown.Draft); err != nil {
		return err
	}
	var lacks lacking
	if shown.Draft.Unused() {
		lacks.add("the assessment reports applied, and nobody said that it was actually used", "planned use does not count; if you used it, add --yes-used")
	}
	if err := blocked(withoutUse(check, shown.Draft), d); err != nil {
		return err
	}
	if !c.yes {
		lacks.add("signing is public and permanent, and --yes-publish was not given", "read what is disclosed; if you may disclose it, add --yes-publish")
	}
	if open := c.open(check.Findings); len(open) > 0 {
		lacks.add("the draft may hold a secret or private material", "take it out or, if it may be public, add "+report.AllowFlags(open))
	}
	for _, t := range report.DraftTargetsOf(check.Targets) {
		if t.Stale && !c.yesTarget {
			lacks.add("the target "+t.ID+" was corrected or retracted, as far as is known here", staleHint(d, t))
		}
	}
	for _, id := range shown.Confirm {
		if !asks && !c.confirms(id) {
			lacks.add("the target "+id.String()+" would be withdrawn or superseded, and was not confirmed", "add "+report.ConfirmFlag(id))
		}
	}
	return lacks.err()
}

// open lists the marks of findings that were not answered, each once.
func (c *consent) open(findings []desk.Finding) []string {
	var open []string
	for _, f := range findings {
		if !slices.Contains(c.allow.values, f.Mark) && !slices.Contains(open, f.Mark) {
			open = append(open, f.Mark)
		}
	}
	return open
}

// confirms reports whether the command line confirmed a target.
func (c *consent) confirms(id identity.ID) bool {
	return id == c.named || slices.ContainsFunc(c.confirm.values, func(typed string) bool { return begins(id, typed) })
}

// begins reports whether what was typed confirms a target.
func begins(id identity.ID, typed string) bool {
	return len(typed) >= explore.ConfirmLength && strings.HasPrefix(id.String(), typed)
}

// lacking is what is missing of a consent, and what adds it.
type lacking struct{ why, hints []string }

func (l *lacking) add(why, hint string) {
	l.why, l.hints = append(l.why, why), append(l.hints, hint)
}

func (l *lacking) err() error {
	if len(l.why) == 0 {
		return nil
	}
	return &fault.Usage{Detail: "nothing was signed: " + strings.Join(l.why, "; "), Hint: strings.Join(l.hints, "; ")}
}

// withoutUse leaves out that nobody said that something was used: a flag says so.
func withoutUse(check explore.DraftCheck, d desk.Draft) explore.DraftCheck {
	if d.Unused() {
		check.Problems = slices.DeleteFunc(slices.Clone(check.Problems), func(p desk.Problem) bool { return p.Path == report.VerdictPath })
	}
	return check
}
