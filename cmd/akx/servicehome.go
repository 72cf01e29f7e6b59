package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"akx/cache"
	"akx/explore"
	"akx/view/fault"
	"akx/view/identity"
)

// serviceFile names the service whose home this is: {"format":1,"origin":"…"}. It
// is written once, before the database.
const serviceFile = "service.json"

// serviceOf gives the origin of the service whose home dir is; there is false for
// the home of a reader.
func serviceOf(dir string) (origin identity.Origin, there bool, err error) {
	path := filepath.Join(dir, serviceFile)
	f, err := os.Open(path)
	if err != nil {
		// Whatever else is wrong with dir is told by what it is opened for.
		if errors.Is(err, fs.ErrPermission) {
			return "", false, err
		}
		return "", false, nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4<<10))
	if err != nil {
		return "", false, fileError(path, err)
	}
	v, err := identity.Parse(text)
	if err == nil {
		format, _ := v.Get("format")
		if n, ok := format.Integer(); ok && n > 1 {
			return "", false, &fault.Damaged{Code: fault.NewerFormat, What: path, Detail: "a newer akx wrote it", Hint: "use that akx"}
		}
		member, _ := v.Get("origin")
		if origin, err = identity.ParseOrigin(member.Text()); err == nil {
			return origin, true, nil
		}
	}
	return "", false, &fault.Damaged{What: path, Detail: "it does not name the service's origin",
		Hint: `it holds {"format":1,"origin":"https://…"}, the origin that was given to akx serve init`}
}

// ownService gives the home of a service and its origin, for commands of that role.
func (a *app) ownService(what string) (dir string, origin identity.Origin, err error) {
	if a.flags.sample {
		return "", "", &fault.Usage{Detail: what + " is for the home of a service", Hint: "leave --sample out"}
	}
	if dir, _, err = a.homeDir(); err != nil {
		return "", "", err
	}
	origin, there, err := serviceOf(dir)
	if err == nil && !there {
		err = &fault.Usage{Detail: dir + " is not the home of a service", Hint: "make one with akx serve init --home DIR --origin ORIGIN"}
	}
	return dir, origin, err
}

// serviceOptions are those of the store of a service.
func (a *app) serviceOptions(origin identity.Origin) cache.Options {
	o := a.cacheOptions()
	o.Role, o.Origin = cache.Service, string(origin)
	return o
}

// openEither opens a home of either role, for commands that work on both. Events
// that are imported into a service's home are accepted as submissions are (8.1):
// they get the next seq, and the time as accepted_at.
func (a *app) openEither(ctx context.Context) (*held, error) {
	if a.flags.sample {
		return a.openSample()
	}
	dir, _, err := a.homeDir()
	if err != nil {
		return nil, err
	}
	origin, there, err := serviceOf(dir)
	if err != nil {
		return nil, err
	}
	if !there {
		return a.open(ctx)
	}
	store, err := cache.Open(ctx, dir, a.serviceOptions(origin))
	if err != nil {
		return nil, err
	}
	return &held{library: store, close: store.Close, clock: time.Now,
		session: explore.New(store, explore.Options{Clock: time.Now})}, nil
}

// makeService makes a home for a service in a folder that is empty or not there,
// so that what somebody reads is never published.
func (a *app) makeService(ctx context.Context, dir string, origin identity.Origin) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fileError(dir, err)
	}
	if len(entries) > 0 {
		switch _, there, err := serviceOf(dir); {
		case err != nil:
			return err
		case there:
			return &fault.Usage{Detail: dir + " is the home of a service already"}
		}
		return &fault.Usage{Detail: dir + " is not empty", Hint: "a service has a home of its own: name a new folder with --home DIR"}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fileError(dir, err)
	}
	path := filepath.Join(dir, serviceFile)
	text := identity.AppendCanonical(nil, identity.ObjectValue(
		identity.Member{Name: "format", Value: identity.IntegerValue(1)},
		identity.Member{Name: "origin", Value: identity.StringValue(string(origin))}))
	if err := writeNew(path, append(text, '\n')); err != nil {
		return fileError(path, err)
	}
	return cache.Create(ctx, dir, a.serviceOptions(origin))
}

// writeNew writes a file that must not be there, durably.
func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}
