package ui

import (
	"akx/explore"
	"akx/ui/kit"
	"akx/ui/screen/browse"
	"akx/ui/screen/page"
)

// registry names every screen and how it is made. A new screen is one line here.
func registry(s *explore.Session, o kit.Options) map[string]builder {
	return map[string]builder{
		kit.Browse: func(r kit.Route) kit.Screen { return browse.New(s, o, r) },
		kit.Page:   func(r kit.Route) kit.Screen { return page.New(s, o, r) },
	}
}
