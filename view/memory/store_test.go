package memory_test

import (
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/memory"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(_ *testing.T, clock func() int64, scope string) storetest.Store {
		return memory.New(scope, clock)
	})
}

func TestFollower(t *testing.T) {
	storetest.RunFollower(t, func(_ *testing.T, clock func() int64) storetest.FollowStore {
		return memory.New(view.ThisCache, clock)
	})
}

func TestServiceBook(t *testing.T) {
	storetest.RunServiceBook(t, func(*testing.T) explore.ServiceBook {
		return memory.New(view.ThisCache, func() int64 { return storetest.Now })
	})
}
