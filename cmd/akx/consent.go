package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"akx/cache/keyring"
	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/desk"
	"akx/view/fault"
)

// consent is what the user says beside the draft: who signs, where it goes, and that
// it may be public for good.
type consent struct {
	key            *once
	to, allow      *many
	yes, yesTarget bool
	fd             *once
}

func addConsent(cmd *cobra.Command) *consent {
	c := &consent{key: &once{check: keyring.CheckName}, to: &many{}, allow: &many{}}
	cmd.Flags().Var(c.key, "key", "the key that signs (default: that of the draft's Agent ID, else the default key)")
	cmd.Flags().Var(c.to, "to", "queue it for this service, by name or origin; may be given several times")
	cmd.Flags().Var(c.allow, "allow-finding", "say that the place with this mark may be public; may be given several times")
	cmd.Flags().BoolVar(&c.yes, "yes-publish", false, "sign: this makes it public and permanent, and I may disclose it")
	cmd.Flags().BoolVar(&c.yesTarget, "yes-target", false, "sign although the target was corrected or retracted")
	c.fd = addPassphrase(cmd)
	return c
}

const signHelp = `Signing is public and permanent: whoever has the signed text can keep it, show it and
prove who signed it, and a retraction later cannot remove copies. Nothing is sent by
signing: --to queues it for services, akx submit sends.

Without --yes-publish nothing is signed: what would be signed and disclosed is shown.
Each place that may hold a secret or private material has to be answered with
--allow-finding MARK, and a target that was corrected or retracted with --yes-target.

` + passphraseHelp

// covers checks that nothing stands against a signature but what was agreed to.
func (c *consent) covers(d desk.Draft, check explore.DraftCheck) error {
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
