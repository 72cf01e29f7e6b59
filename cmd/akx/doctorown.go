package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"akx/cache"
	"akx/cache/keyring"
	"akx/cmd/akx/report"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// ownFindings look at what is the user's own beside the databases: keys, their nonces,
// the keys of request tokens, and what edits left behind. told says that something is
// wrong with the databases and was told: what cannot be compared with them then is not.
func (a *app) ownFindings(ctx context.Context, dir string, told bool) []report.Finding {
	ring, err := keyring.New(filepath.Join(dir, "keys"), keyring.Options{})
	if err != nil {
		return []report.Finding{failedFinding("keys", err)}
	}
	keys, err := ring.List(ctx)
	if err != nil {
		return []report.Finding{failedFinding("keys", err)}
	}
	found := a.keyFindings(ctx, ring, dir, keys)
	o := a.cacheOptions()
	o.ReadOnly = true
	store, err := cache.Open(ctx, dir, o)
	switch {
	case err != nil && told:
		return found
	case err != nil:
		return append(found, failedFinding("own work", err))
	}
	defer store.Close()
	if !told {
		found = append(found, nonceFindings(ctx, store, keys)...)
		found = append(found, tokenFindings(ctx, store, keys)...)
	}
	return append(found, editFindings(ctx, store.Desk(), filepath.Join(dir, "edit"))...)
}

func failedFinding(what string, err error) report.Finding {
	failure := report.FailureOf(err, "")
	return report.Finding{What: what, State: "problem", Found: failure.Message, Hint: failure.Hint}
}

// keyFindings look at every key file: its mode, its lines with their check sum and
// parameters, whether two are one Agent ID, and the default.
func (a *app) keyFindings(ctx context.Context, ring *keyring.Ring, dir string, keys []keyring.Info) []report.Finding {
	var found []report.Finding
	named := make(map[identity.Actor]string)
	for _, k := range keys {
		path := filepath.Join(dir, "keys", k.Name+".key")
		if k.Err != nil {
			found = append(found, failedFinding("key "+k.Name, k.Err))
			continue
		}
		if k.Exposed {
			found = append(found, report.Finding{What: "key " + k.Name, State: "problem", Found: "others may read its file", Hint: "chmod 600 " + path})
		}
		if other, twice := named[k.Actor]; twice {
			found = append(found, report.Finding{What: "key " + k.Name, State: "note", Found: "it is the same key as " + other,
				Hint: "akx key delete takes one of the two away, such as after a rename that was cut short"})
		}
		named[k.Actor] = k.Name
	}
	chosen, err := ring.Default(ctx)
	switch {
	case err != nil:
		found = append(found, failedFinding("default key", err))
	case chosen == "" && len(keys) > 1:
		found = append(found, report.Finding{What: "default key", State: "note", Found: "none was chosen", Hint: "akx key default NAME chooses one"})
	}
	if len(found) == 0 && len(keys) > 0 {
		found = append(found, report.Finding{What: "keys", State: "ok", Found: report.Counted(len(keys), "key") + ", the default is " + chosen})
	}
	return found
}

// nonceFindings compare the last nonce of each key with its events: they differ after an
// older own.db was put back.
func nonceFindings(ctx context.Context, store *cache.Cache, keys []keyring.Info) []report.Finding {
	var found []report.Finding
	for _, k := range keys {
		if k.Err != nil {
			continue
		}
		last, err := store.Desk().LastNonce(ctx, k.Actor)
		var held int64
		if err == nil {
			held, err = store.LargestNonce(ctx, k.Actor)
		}
		switch {
		case err != nil:
			found = append(found, failedFinding("nonces of key "+k.Name, err))
		case held > last:
			found = append(found, report.Finding{What: "nonces of key " + k.Name, State: "note",
				Found: "its events go beyond the last nonce that was used here: it signed elsewhere, or own.db is an older copy",
				Hint:  "nothing is to be done for signing: the next nonce goes beyond both; drafts and outbox may be older than you think"})
		}
	}
	return found
}

// tokenFindings name services that are to see request tokens of a key that is not here.
func tokenFindings(ctx context.Context, store *cache.Cache, keys []keyring.Info) []report.Finding {
	services, err := store.Services(ctx)
	if err != nil {
		return []report.Finding{failedFinding("services", err)}
	}
	here := map[identity.Actor]bool{{}: true}
	for _, k := range keys {
		here[k.Actor] = true
	}
	var found []report.Finding
	for _, s := range services {
		if !here[s.Token] {
			found = append(found, report.Finding{What: "service " + s.Name, State: "problem",
				Found: "it is to see request tokens of a key that is not here: " + s.Token.String(),
				Hint:  "akx key import FILE brings the key here; akx service set " + s.Name + " --token-key none sends without"})
		}
	}
	return found
}

// editFindings look at what edits of drafts left behind.
func editFindings(ctx context.Context, d *cache.Desk, dir string) []report.Finding {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []report.Finding{failedFinding(dir, fileError(dir, err))}
	}
	var found []report.Finding
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		number, named := strings.CutPrefix(strings.TrimSuffix(f.Name(), ".yaml"), "draft-")
		id, err := strconv.ParseUint(number, 10, 64)
		if !named || err != nil {
			found = append(found, report.Finding{What: path, State: "note", Found: "it is no text of a draft", Hint: "remove it if it is not needed"})
			continue
		}
		if one, ok := leftOf(ctx, d, path, id); ok {
			found = append(found, one)
		}
	}
	return found
}

// leftOf compares what an edit left behind with its draft; ok is false where there is
// nothing to say.
func leftOf(ctx context.Context, d *cache.Desk, path string, id uint64) (report.Finding, bool) {
	f := report.Finding{What: path, State: "note"}
	text, err := readText(path)
	if err != nil {
		return failedFinding(path, err), true
	}
	draft, err := d.Draft(ctx, id)
	var usage *fault.Usage
	switch {
	case errors.As(err, &usage):
		f.Found = "an edit left it, and draft " + strconv.FormatUint(id, 10) + " is not there any more: it was signed or deleted"
		f.Hint = "akx draft new KIND FILE begins a draft with it; remove it if it is not needed"
		return f, true
	case err != nil:
		return report.Finding{}, false // the draft itself is told as damaged
	}
	content, complaints := desk.ReadText(text, desk.Expect{Type: draft.Type})
	if len(complaints) == 0 && content.Actor == draft.Actor && content.Payload.Equal(draft.Payload) {
		return report.Finding{}, false
	}
	f.Found = "an edit left text that draft " + strconv.FormatUint(id, 10) + " does not have"
	f.Hint = "akx draft edit " + strconv.FormatUint(id, 10) + " opens it again; remove it if it is not needed"
	return f, true
}

// readText reads the text of a draft, as far as one may be long.
func readText(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fileError(path, err)
	case !info.Mode().IsRegular():
		return nil, &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "it is not a file", Hint: "remove it if it is not needed"}
	case info.Size() > desk.MaxText:
		return nil, &fault.Unavailable{Code: fault.PayloadTooLarge, What: path, Detail: "it is longer than any draft", Hint: "remove it if it is not needed"}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	return text, nil
}
