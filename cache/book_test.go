package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	bolt "go.etcd.io/bbolt"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// A service whose settings are damaged is disabled, told, and can be removed.
func TestADamagedServiceIsDisabled(t *testing.T) {
	home := t.TempDir()
	c := mustOpen(t, home, Options{})
	for _, s := range []desk.Service{
		{Name: "hub", Origin: hub, Enabled: true, AllowPrivate: true},
		{Name: "lab", Origin: lab, Enabled: true, Token: identity.Actor{7, 8}},
	} {
		if err := c.PutService(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	err := c.own.write(t.Context(), func(tx *bolt.Tx) (bool, error) {
		b := tx.Bucket([]byte("service"))
		value := bytes.Clone(b.Get([]byte(hub)))
		value[len(value)-3] ^= 1
		return true, b.Put([]byte(hub), value)
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.Services(t.Context())
	want := []desk.Service{{Name: "damaged1", Origin: hub, Ask: desk.AskNever}, {Name: "lab", Origin: lab, Enabled: true, Token: identity.Actor{7, 8}}}
	if err != nil || !slices.Equal(all, want) {
		t.Errorf("%+v, %v", all, err)
	}
	found, err := Check(t.Context(), home)
	if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return f.Code == fault.DamagedCode && f.Count == 1 }) {
		t.Errorf("Check found %+v, %v", found, err)
	}
	if err := c.RemoveService(t.Context(), hub); err != nil {
		t.Fatal(err)
	}
	if all, err := c.Services(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	c.Close()
	sound(t, home)
}

func TestSettingsUnderAnotherOriginAreDamaged(t *testing.T) {
	if _, ok := parseService(lab, encodeService(desk.Service{Name: "hub", Origin: hub, Enabled: true})); ok {
		t.Error("the settings of another service were read")
	}
}

// The way out of a damaged meta page works for what cannot be had again, too.
func TestCompactMendsTheMetaPageOfOwn(t *testing.T) {
	home := t.TempDir()
	c := mustOpen(t, home, Options{})
	if err := c.PutService(t.Context(), desk.Service{Name: "hub", Origin: hub, Enabled: true}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // so that both states hold the service
		if err := c.SaveState(t.Context(), []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	path := filepath.Join(home, ownName)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file[metaStart+20] ^= 4
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	c = mustOpen(t, home, Options{})
	if err := c.SaveState(t.Context(), nil); codeOf(err) != fault.DamagedCode {
		t.Errorf("writing gave %v", err)
	}
	c.Close()
	if _, _, err := Compact(t.Context(), home, Options{}); err != nil {
		t.Fatal(err)
	}
	c = mustOpen(t, home, Options{})
	all, err := c.Services(t.Context())
	if err != nil || len(all) != 1 || c.SaveState(t.Context(), nil) != nil {
		t.Errorf("%+v, %v", all, err)
	}
	c.Close()
	sound(t, home)
}
