package keyring

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"akx/view/fault"
	"akx/view/identity"
)

// Options are what a Ring is given from outside; the zero value of each field has
// a meaning.
type Options struct {
	// Now is the clock; time.Now when nil.
	Now func() time.Time
	// AfterFunc calls f once after d, unless stop comes first; time.AfterFunc when nil.
	AfterFunc func(d time.Duration, f func()) (stop func() bool)
	// Random gives seeds, salts and nonces; crypto/rand when nil.
	Random io.Reader
	// Cost is for files that are written; DefaultCost when zero.
	Cost Cost
	// Keep is how long an unlocked key stays in memory; not at all when zero.
	Keep time.Duration
}

// Ring is the keys of one folder. Any number of processes and goroutines share it.
type Ring struct {
	dir     string
	options Options
	held    unlocked
}

// Info is what can be said of a key without its passphrase.
type Info struct {
	Name      string
	Actor     identity.Actor
	CreatedAt int64 // ms; for an imported key, when it was imported
	Default   bool
	Exposed   bool // its file's mode lets others read it
	// Err is a *fault.Damaged or *fault.Unavailable where the file cannot be read;
	// only Name and Exposed are known then.
	Err error
}

// maxKeys bounds a list of keys.
const maxKeys = 1000

// New gives the keys of dir. It touches no disk: the folder is made with the first key.
func New(dir string, o Options) (*Ring, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.AfterFunc == nil {
		o.AfterFunc = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Cost == (Cost{}) {
		o.Cost = DefaultCost
	}
	if !o.Cost.valid() || o.Keep < 0 {
		return nil, &fault.Usage{Detail: "the cost of a passphrase, or the time that keys stay unlocked, is out of range"}
	}
	return &Ring{dir: dir, options: o}, nil
}

// Create makes a new key.
func (r *Ring) Create(ctx context.Context, name string, passphrase []byte) (Info, error) {
	var seed [32]byte
	defer clear(seed[:])
	if _, err := io.ReadFull(r.options.Random, seed[:]); err != nil {
		return Info{}, &fault.Unavailable{Code: fault.UnavailableCode, What: "random numbers", Detail: "there are none", Err: err}
	}
	s := newSecret(seed[:])
	defer s.Wipe()
	return r.Import(ctx, name, s, passphrase)
}

// Import keeps s under name. A name or an Agent ID that is there already is a
// *fault.Usage; s stays the caller's to wipe. The first key becomes the default, and
// stays it when others come.
func (r *Ring) Import(ctx context.Context, name string, s Secret, passphrase []byte) (Info, error) {
	if err := cmp.Or(CheckName(name), checkPassphrase(passphrase), s.usable()); err != nil {
		return Info{}, err
	}
	f, err := r.sealed(name, s, r.options.Now().UnixMilli(), passphrase)
	if err != nil {
		return Info{}, err
	}
	first := false
	err = r.locked(ctx, func() error {
		all, err := r.list()
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(all, func(k Info) bool { return k.Err == nil && k.Actor == f.actor }); i >= 0 {
			return &fault.Usage{Detail: "this key is there already, called " + all[i].Name}
		}
		if len(all) >= maxKeys {
			return &fault.Usage{Detail: "there are 1,000 keys already"}
		}
		if len(all) == 1 && all[0].Err == nil {
			if err := r.chooseFirst(all[0].Name); err != nil {
				return err
			}
		}
		if err := r.create(name, f.text()); err != nil || len(all) > 0 {
			return err
		}
		first = true
		return r.chooseFirst(name)
	})
	if err != nil {
		return Info{}, err
	}
	return Info{Name: name, Actor: f.actor, CreatedAt: f.created, Default: first}, nil
}

// chooseFirst makes the only key the default, where none was chosen.
func (r *Ring) chooseFirst(name string) error {
	if chosen, err := r.readDefault(); err != nil || chosen != "" {
		return nil // List and Default say what is wrong with it
	}
	return r.replace(defaultFile, []byte(name+"\n"))
}

// sealed makes the file of s with a new salt and nonce.
func (r *Ring) sealed(name string, s Secret, created int64, passphrase []byte) (*keyFile, error) {
	f := &keyFile{name: name, actor: s.Actor(), created: created, cost: r.options.Cost}
	for _, b := range [][]byte{f.salt[:], f.nonce[:]} {
		if _, err := io.ReadFull(r.options.Random, b); err != nil {
			return nil, &fault.Unavailable{Code: fault.UnavailableCode, What: "random numbers", Detail: "there are none", Err: err}
		}
	}
	return f, f.seal(s, passphrase)
}

// List names the keys in the order of their names; no passphrase is needed. A file
// that cannot be read is listed with its error; a choice of the default that cannot
// be read is as none here, and an error of Default.
func (r *Ring) List(ctx context.Context) ([]Info, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all, err := r.list()
	if err != nil {
		return nil, err
	}
	if name, err := r.defaultName(all); err == nil {
		for i := range all {
			all[i].Default = all[i].Name == name
		}
	}
	return all, nil
}

func (r *Ring) list() ([]Info, error) {
	entries, err := os.ReadDir(r.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, diskError(r.dir, err)
	}
	var all []Info
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), keySuffix)
		if !ok || CheckName(name) != nil {
			continue
		}
		if len(all) == maxKeys {
			break
		}
		info := Info{Name: name}
		f, exposed, err := r.readKeyFile(name)
		if info.Exposed, info.Err = exposed, err; err == nil {
			info.Actor, info.CreatedAt = f.actor, f.created
		}
		all = append(all, info)
	}
	slices.SortFunc(all, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Export gives the private key in the clear.
func (r *Ring) Export(ctx context.Context, name string, passphrase []byte) (Exported, error) {
	s, _, err := r.open(ctx, name, passphrase)
	if err != nil {
		return Exported{}, err
	}
	defer s.Wipe()
	return s.export()
}

// open reads and decrypts a key.
func (r *Ring) open(ctx context.Context, name string, passphrase []byte) (Secret, *keyFile, error) {
	if err := ctx.Err(); err != nil {
		return Secret{}, nil, err
	}
	if err := cmp.Or(CheckName(name), checkPassphrase(passphrase)); err != nil {
		return Secret{}, nil, err
	}
	f, _, err := r.readKeyFile(name)
	if err != nil {
		return Secret{}, nil, err
	}
	s, err := f.open(r.path(name), passphrase)
	return s, f, err
}

// Rename gives a key another name. The name is authenticated with the key, so that
// files cannot be swapped behind their owner's back; hence the passphrase. After a
// crash in the middle both names hold the key, and one can be deleted.
func (r *Ring) Rename(ctx context.Context, name, to string, passphrase []byte) error {
	if err := CheckName(to); err != nil {
		return err
	}
	s, old, err := r.open(ctx, name, passphrase)
	if err != nil {
		return err
	}
	defer s.Wipe()
	f, err := r.sealed(to, s, old.created, passphrase)
	if err != nil {
		return err
	}
	err = r.locked(ctx, func() error {
		if current, _, err := r.readKeyFile(name); err != nil {
			return err
		} else if *current != *old {
			return &fault.Unavailable{Code: fault.Locked, What: "key " + name, Detail: "another akx changed it meanwhile", Retry: true}
		}
		if err := r.create(to, f.text()); err != nil {
			return err
		}
		if chosen, err := r.readDefault(); err == nil && chosen == name {
			if err := r.replace(defaultFile, []byte(to+"\n")); err != nil {
				return err
			}
		}
		return r.remove(name + keySuffix)
	})
	if err == nil {
		r.Lock(name)
	}
	return err
}

// Delete removes a key for good, a damaged one too. The caller has asked before.
func (r *Ring) Delete(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	r.Lock(name)
	return r.locked(ctx, func() error {
		if _, err := os.Lstat(r.path(name)); errors.Is(err, fs.ErrNotExist) {
			return noSuchKey(name)
		}
		if chosen, err := r.readDefault(); err == nil && chosen == name {
			if err := r.remove(defaultFile); err != nil {
				return err
			}
		}
		return r.remove(name + keySuffix)
	})
}

// Default names the key that signs where none is named: the one that was chosen,
// else the only one there is. Empty where neither is.
func (r *Ring) Default(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	all, err := r.list()
	if err != nil {
		return "", err
	}
	return r.defaultName(all)
}

func (r *Ring) defaultName(all []Info) (string, error) {
	chosen, err := r.readDefault()
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(all, func(k Info) bool { return k.Name == chosen }) {
		return chosen, nil
	}
	if chosen == "" && len(all) == 1 {
		return all[0].Name, nil
	}
	return "", nil
}

// SetDefault chooses the key that signs where none is named.
func (r *Ring) SetDefault(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	return r.locked(ctx, func() error {
		if _, _, err := r.readKeyFile(name); err != nil {
			return err
		}
		return r.replace(defaultFile, []byte(name+"\n"))
	})
}

// readDefault gives the chosen name, empty where none was chosen.
func (r *Ring) readDefault() (string, error) {
	path := filepath.Join(r.dir, defaultFile)
	text, mode, err := readBounded(path, MaxName+1)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", diskError(path, err)
	}
	name, ok := strings.CutSuffix(string(text), "\n")
	if !mode.IsRegular() || !ok || CheckName(name) != nil {
		return "", &fault.Damaged{
			What: path, Detail: "it does not name a key", Hint: "remove the file, and choose a key with 'akx key default NAME'",
		}
	}
	return name, nil
}
