package main

import (
	"context"

	"akx/view/fault"
	"akx/view/identity"
)

// noToken is the word of --token-key for no request tokens.
const noToken = "none"

// tokenKey gives the Agent ID of the key that a service is to see request tokens of;
// zero for none.
func (a *app) tokenKey(ctx context.Context, name string) (identity.Actor, error) {
	if name == noToken {
		return identity.Actor{}, nil
	}
	ring, err := a.ring()
	if err != nil {
		return identity.Actor{}, err
	}
	all, err := ring.List(ctx)
	if err != nil {
		return identity.Actor{}, err
	}
	for _, k := range all {
		if k.Name == name {
			return k.Actor, k.Err
		}
	}
	return identity.Actor{}, noKeyCalled(name)
}

func noKeyCalled(name string) error {
	return &fault.Usage{Code: fault.NotHeldCode, Detail: "there is no key called " + name, Hint: "akx key list names those that are there"}
}

// keyNames gives the names of the user's keys by Agent ID, as far as they can be read.
func (a *app) keyNames(ctx context.Context) map[string]string {
	names := make(map[string]string)
	ring, err := a.ring()
	if err != nil {
		return names
	}
	all, err := ring.List(ctx)
	if err != nil {
		return names
	}
	for _, k := range all {
		if k.Err == nil {
			names[k.Actor.String()] = k.Name
		}
	}
	return names
}

// requestTokens unlocks the keys whose request tokens services are to see: by the
// setting of each or, where it was given, by the flag. Nobody is asked for a passphrase
// where no service wants a token. wipe forgets the keys.
func (a *app) requestTokens(ctx context.Context, u *author, origins []string, flag, fd *once) (keys map[identity.Origin]identity.Key, wipe func(), err error) {
	keys = make(map[identity.Origin]identity.Key, len(origins))
	opened := map[string]identity.Key{noToken: {}}
	wipe = func() {
		for _, key := range opened {
			key.Wipe()
		}
	}
	for _, origin := range origins {
		name, err := a.tokenKeyOf(ctx, u, origin, flag)
		if _, ok := opened[name]; err == nil && !ok {
			if fd.given && len(opened) > 1 {
				err = &fault.Usage{Detail: "these services want tokens of several keys, and --passphrase-fd gives one passphrase", Hint: "send to one service at a time"}
			} else {
				opened[name], err = a.unlock(ctx, u, name, fd)
			}
		}
		if err != nil {
			wipe()
			return nil, nil, err
		}
		keys[identity.Origin(origin)] = opened[name]
	}
	return keys, wipe, nil
}

// tokenKeyOf names the key whose request tokens one service is to see.
func (a *app) tokenKeyOf(ctx context.Context, u *author, origin string, flag *once) (string, error) {
	if flag.given {
		return flag.value, nil
	}
	service, err := u.session.Service(ctx, origin)
	if err != nil || service.Token.IsZero() {
		return noToken, err
	}
	key, err := u.signer(ctx, "", service.Token)
	if err != nil {
		return "", &fault.Usage{Code: fault.NotHeldCode, Detail: service.Name + " is to see request tokens of a key that is not here: " + service.Token.String(),
			Hint: "akx key import FILE brings it here; akx service set " + service.Name + " --token-key none sends without"}
	}
	return key.Name, nil
}
