package main

import (
	"context"

	"github.com/spf13/cobra"

	"akx/cmd/akx/report"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
)

// evidenceFlags are the other members of an evidence item (5.1).
type evidenceFlags struct{ url, description, role, mediaType *once }

func (a *app) draftEvidenceCommand() *cobra.Command {
	var roles []string
	for _, r := range capsule.Roles() {
		roles = append(roles, r.String())
	}
	f := evidenceFlags{&once{}, &once{}, &once{check: oneOf(roles...)}, &once{}}
	cmd := &cobra.Command{
		Use:   "evidence DRAFT FILE",
		Short: "Put the digest of a file into the evidence of a draft",
		Long: `Compute the SHA3-256 of a file of this machine, and put it into the evidence of a draft:
into the item with that URL or, where there is none, into a new one. Neither the file nor
its name goes anywhere: readers find it at the URL, and know by the digest that it is the
same file.`,
		Example: "  akx draft evidence 7 runs.csv --as output --url https://data.example/runs.csv --description 'The 600 runs.'\n  akx draft evidence 7 runs.csv --url https://data.example/runs.csv",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return &fault.Usage{Detail: "akx draft evidence takes a draft and a file", Hint: "see akx draft evidence --help"}
			}
			return nil
		},
	}
	cmd.Flags().Var(f.url, "url", "where the file can be had: an HTTPS URL, which is signed and public")
	cmd.Flags().Var(f.description, "description", "what it adds")
	cmd.Flags().Var(f.role, "as", "its role")
	cmd.Flags().Var(f.mediaType, "media-type", "its media type, such as text/csv")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		id, err := draftNumber(args[0])
		if err != nil {
			return err
		}
		u, err := a.openAuthor(cmd.Context(), "draft evidence", true)
		if err != nil {
			return err
		}
		defer u.end()
		return a.addEvidence(cmd.Context(), u, id, args[1], f)
	}
	return cmd
}

func (a *app) addEvidence(ctx context.Context, u *author, id uint64, path string, f evidenceFlags) error {
	d, err := u.openToWrite(ctx, id)
	if err != nil {
		return err
	}
	if d.Type == capsule.Retract {
		return &fault.Usage{Detail: "a retraction has no evidence", Hint: "its reason says why"}
	}
	digest, _, err := a.digestOf(ctx, path)
	if err != nil {
		return err
	}
	d = d.Clone()
	f.put(&d.Payload, digest.String())
	if d, err = u.writer.SaveDraft(ctx, d); err != nil {
		return err
	}
	targets, err := u.writer.Targets(ctx, d)
	return a.emit(&report.DraftChanged{Done: "saved", Digest: digest.String(), Draft: report.DraftOf(d), Targets: report.DraftTargetsOf(targets)}, err)
}

// put writes an item: the one with the same URL, the first that is empty, or a new one.
func (f evidenceFlags) put(p *desk.Payload, digest string) {
	at := len(p.Evidence)
	for i, e := range p.Evidence {
		empty := e.URL == "" && e.Digest == "" && e.Description == "" && e.MediaType == ""
		if f.url.given && e.URL == f.url.value || empty && at == len(p.Evidence) {
			if at = i; !empty {
				break
			}
		}
	}
	if at == len(p.Evidence) {
		p.Evidence = append(p.Evidence, desk.Evidence{})
	}
	e := &p.Evidence[at]
	e.Digest = digest
	for flag, member := range map[*once]*string{f.url: &e.URL, f.description: &e.Description, f.role: &e.Role, f.mediaType: &e.MediaType} {
		if flag.given {
			*member = flag.value
		}
	}
}
