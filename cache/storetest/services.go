package storetest

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"akx/explore"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// RunServiceBook puts stores of the user's services through their suite.
func RunServiceBook(t *testing.T, open func(t *testing.T) explore.ServiceBook) {
	tests := []struct {
		name string
		run  func(*bookSuite)
	}{
		{"services are kept by origin and listed by name", testBook},
		{"a name belongs to one service", testBookNames},
		{"services are bounded", testBookBound},
		{"an ended context ends every call of a book", testBookContext},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(&bookSuite{suite: suite{T: t, ctx: t.Context()}, book: open(t)}) })
	}
}

type bookSuite struct {
	suite
	book explore.ServiceBook
}

func (s *bookSuite) put(service desk.Service) {
	s.Helper()
	s.must(s.book.PutService(s.ctx, service))
}

func (s *bookSuite) names() []string {
	s.Helper()
	services, err := s.book.Services(s.ctx)
	s.must(err)
	var out []string
	for _, service := range services {
		out = append(out, service.Name)
	}
	return out
}

func testBook(s *bookSuite) {
	s.equal("of a new book", s.names(), []string(nil))
	full := desk.Service{Name: "lab", Origin: lab, Enabled: true, AllowPrivate: true, CAFile: "/ca/α.pem", Ask: desk.AskNever, Added: Now}
	s.put(full)
	s.put(desk.Service{Name: "hub", Origin: hub})
	services, err := s.book.Services(s.ctx)
	s.must(err)
	s.equal("services", services, []desk.Service{{Name: "hub", Origin: hub}, full})

	full.Enabled, full.Name, full.Ask, full.CAFile = false, "a.lab", desk.AskOnOpen, ""
	s.put(full)
	services, err = s.book.Services(s.ctx)
	s.must(err)
	s.equal("after a change", services, []desk.Service{full, {Name: "hub", Origin: hub}})
	s.must(s.book.RemoveService(s.ctx, hub))
	s.must(s.book.RemoveService(s.ctx, none))
	s.equal("after one was removed", s.names(), []string{"a.lab"})
}

func testBookNames(s *bookSuite) {
	s.put(desk.Service{Name: "hub", Origin: hub})
	for _, name := range []string{"hub", "", "-a", "A", "a b", "é", strings.Repeat("a", 33)} {
		err := s.book.PutService(s.ctx, desk.Service{Name: name, Origin: lab})
		s.equal("code of "+name, code(err), fault.UsageCode)
	}
	s.put(desk.Service{Name: strings.Repeat("a", 32), Origin: lab})
	s.must(s.book.RemoveService(s.ctx, hub))
	s.put(desk.Service{Name: "hub", Origin: lab})
	s.equal("names", s.names(), []string{"hub"})
}

func testBookBound(s *bookSuite) {
	service := func(i int) desk.Service {
		n := strconv.Itoa(i)
		return desk.Service{Name: "s" + n, Origin: identity.Origin("https://s" + n + ".example.org")}
	}
	for i := range desk.MaxServices {
		s.put(service(i))
	}
	s.equal("code", code(s.book.PutService(s.ctx, service(desk.MaxServices))), fault.UsageCode)
	changed := service(3)
	changed.Enabled = true
	s.put(changed)
	s.equal("services", len(s.names()), desk.MaxServices)
}

func testBookContext(s *bookSuite) {
	ctx, cancel := context.WithCancel(s.ctx)
	cancel()
	_, err := s.book.Services(ctx)
	for i, err := range []error{
		err,
		s.book.PutService(ctx, desk.Service{Name: "hub", Origin: hub}),
		s.book.RemoveService(ctx, hub),
	} {
		if err != context.Canceled {
			s.Errorf("call %d: %v", i, err)
		}
	}
	s.equal("services", s.names(), []string(nil))
}
