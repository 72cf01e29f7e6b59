package memory_test

import (
	"testing"

	"akx/cache/storetest"
	"akx/view/memory"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(_ *testing.T, clock func() int64, scope string) storetest.Store {
		return memory.New(scope, clock)
	})
}
