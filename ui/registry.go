package ui

import (
	"akx/explore"
	"akx/ui/kit"
	"akx/ui/screen/browse"
	"akx/ui/screen/compose"
	"akx/ui/screen/found"
	"akx/ui/screen/links"
	"akx/ui/screen/outbox"
	"akx/ui/screen/page"
	"akx/ui/screen/raw"
	"akx/ui/screen/review"
	"akx/ui/screen/services"
	"akx/ui/screen/versions"
	"akx/ui/screen/waiting"
)

// registry names every screen and how it is made. A new screen is one line here.
func registry(s *explore.Session, o kit.Options, m *found.Memory, c *compose.Shared) map[string]builder {
	all := map[string]builder{
		kit.Browse:     func(r kit.Route) kit.Screen { return browse.New(s, o, r) },
		kit.Page:       func(r kit.Route) kit.Screen { return page.New(s, o, r) },
		kit.Links:      func(r kit.Route) kit.Screen { return links.New(s, o, r) },
		kit.Versions:   func(r kit.Route) kit.Screen { return versions.New(s, o, r) },
		kit.Review:     func(r kit.Route) kit.Screen { return review.New(s, o, r) },
		kit.Raw:        func(r kit.Route) kit.Screen { return raw.New(s, o, r) },
		kit.Waiting:    func(r kit.Route) kit.Screen { return waiting.New(s, o, r) },
		kit.Services:   func(r kit.Route) kit.Screen { return services.New(s, o, r) },
		kit.Exceptions: func(r kit.Route) kit.Screen { return services.NewExceptions(s, o, r) },
		kit.Found:      func(r kit.Route) kit.Screen { return found.New(s, o, m, r) },
	}
	if c != nil {
		all[kit.Compose] = func(r kit.Route) kit.Screen { return compose.New(c, o, r) }
		all[kit.Outbox] = func(r kit.Route) kit.Screen { return outbox.New(s, c.Writer, c.Texts, o, r) }
	}
	return all
}
