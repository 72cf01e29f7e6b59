package cache

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// The user's services stand in own.db by their origin: the origin again, so that the
// sum covers it, added, ask, enabled, private addresses allowed, name, CA file, and the
// Agent ID of its request tokens where there is one.
const bookHead = 8 + 3

// damagedName is what a service is called whose own name cannot be read.
const damagedName = "damaged"

func encodeService(s desk.Service) []byte {
	b := appendString(make([]byte, 0, bookHead+128), string(s.Origin))
	b = binary.BigEndian.AppendUint64(b, uint64(s.Added))
	b = append(b, byte(s.Ask), flag(s.Enabled), flag(s.AllowPrivate))
	b = appendString(appendString(b, s.Name), s.CAFile)
	if !s.Token.IsZero() {
		b = append(b, s.Token[:]...)
	}
	return seal(b)
}

func flag(set bool) byte {
	if set {
		return 1
	}
	return 0
}

func parseService(origin identity.Origin, value []byte) (s desk.Service, ok bool) {
	b, ok := unseal(value)
	t := tail{b}
	if !ok || string(t.text()) != string(origin) || len(t.b) < bookHead {
		return s, false
	}
	head := t.take(bookHead)
	s = desk.Service{
		Origin: origin, Added: int64(binary.BigEndian.Uint64(head)), Ask: desk.AskWhen(head[8]), Enabled: head[9] == 1,
		AllowPrivate: head[10] == 1, Name: string(t.text()), CAFile: string(t.text()),
	}
	copy(s.Token[:], t.take(uint64(len(s.Token))))
	return s, true
}

// services reads the book by name. One that cannot be read stands there under a name
// that says so, disabled: nothing is asked of it, and it can be removed by its origin.
func services(b *bolt.Bucket) (all []desk.Service, damaged int) {
	cursor := b.Cursor()
	for key, value := cursor.First(); key != nil; key, value = cursor.Next() {
		s, ok := parseService(identity.Origin(key), value)
		if !ok {
			damaged++
			origin, err := identity.ParseOrigin(string(key))
			if err != nil {
				continue
			}
			s = desk.Service{Name: damagedName + strconv.Itoa(damaged), Origin: origin, Ask: desk.AskNever}
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b desk.Service) int { return cmp.Compare(a.Name, b.Name) })
	return all, damaged
}

// Services lists the user's services by name; see explore.ServiceBook.
func (c *Cache) Services(ctx context.Context) ([]desk.Service, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	there, err := c.own.exists()
	if err != nil || !there {
		return nil, err
	}
	var all []desk.Service
	err = c.own.read(ctx, func(tx *bolt.Tx) (err error) {
		s := &snapshot{path: c.own.path, tx: tx}
		defer s.guard(&err)
		all, _ = services(s.bucket("service"))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// PutService adds or replaces a service of the user; see explore.ServiceBook.
func (c *Cache) PutService(ctx context.Context, service desk.Service) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := desk.CheckServiceName(service.Name); err != nil {
		return err
	}
	return c.own.write(ctx, func(tx *bolt.Tx) (bool, error) {
		b := tx.Bucket([]byte("service"))
		all, _ := services(b)
		known := false
		for _, other := range all {
			known = known || other.Origin == service.Origin
			if other.Name == service.Name && other.Origin != service.Origin {
				return false, &fault.Usage{Detail: "another service has the name " + service.Name, Hint: "give this one another name"}
			}
		}
		if !known && len(all) >= desk.MaxServices {
			return false, &fault.Usage{Detail: "there are " + strconv.Itoa(desk.MaxServices) + " services already", Hint: "remove one that is not used"}
		}
		return true, b.Put([]byte(service.Origin), encodeService(service))
	})
}

// RemoveService forgets a service of the user; see explore.ServiceBook.
func (c *Cache) RemoveService(ctx context.Context, origin identity.Origin) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	there, err := c.own.exists()
	if err != nil || !there {
		return err
	}
	return c.own.write(ctx, func(tx *bolt.Tx) (bool, error) {
		b, key := tx.Bucket([]byte("service")), []byte(origin)
		return b.Get(key) != nil, b.Delete(key)
	})
}
