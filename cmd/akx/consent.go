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
		right := func(typed string) bool { return len(typed) >= explore.ConfirmLength && strings.HasPrefix(full, typed) }
		switch {
		case slices.ContainsFunc(c.confirm.values, right), !a.asks() && id == c.named:
		case !a.asks():
			return nil, &fault.Usage{Detail: "nothing was signed: the target " + full + " would be withdrawn or superseded, and was not confirmed",
				Hint: "--confirm PREFIX, with its first 4 characters or more"}
		default:
			if _, err := a.stderr.WriteString("First 4 characters of the target " + full + ": "); err != nil {
				return nil, err
			}
			typed, err := awaited(ctx, a.readLine)
			if err != nil {
				return nil, err
			}
			if !right(string(typed)) {
				return nil, &fault.Usage{Detail: "nothing was signed: what was typed does not begin the ID of the target " + full}
			}
		}
		out = append(out, full[:explore.ConfirmLength])
	}
	return out, nil
}

// covers checks that nothing stands against a signature but what was agreed to.
func (c *consent) covers(d desk.Draft, shown explore.Preview) error {
	check := shown.Check
	if err := c.same(shown.Draft); err != nil {
		return err
	}
	if shown.Draft.Unused() {
		return &fault.Usage{Detail: "nothing was signed: the assessment reports applied, and nobody said that it was actually used",
			Hint: "planned use does not count; if you used it, add --yes-used"}
	}
	if err := blocked(check.Problems, check.More); err != nil {
		return err
	}
	if !c.yes {
		return &fault.Usage{Detail: "nothing was signed: signing is public and permanent, and --yes-publish was not given",
			Hint: "read what is disclosed; if you may disclose it, add --yes-publish"}
	}
	var open []string
	for _, f := range check.Findings {
		if !slices.Contains(c.allow.values, f.Mark) {
			open = append(open, f.Mark)
		}
	}
	if len(open) > 0 {
		return &fault.Usage{Detail: "nothing was signed: the draft may hold a secret or private material",
			Hint: "take it out or, if it may be public, add --allow-finding " + strings.Join(slices.Compact(open), " --allow-finding ")}
	}
	for _, t := range report.DraftTargetsOf(check.Targets) {
		if t.Stale && !c.yesTarget {
			return &fault.Usage{Detail: "nothing was signed: the target " + t.ID + " was corrected or retracted, as far as is known here",
				Hint: staleHint(d, t)}
		}
	}
	return nil
}
