package ui

import (
	"akx/explore"
	"akx/ui/kit"
)

// registry names every screen and how it is made. A new screen is one line here.
func registry(s *explore.Session, o kit.Options) map[string]builder {
	return map[string]builder{}
}
