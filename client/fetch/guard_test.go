package fetch

import (
	"net/netip"
	"testing"
)

func TestCheckAddr(t *testing.T) {
	cases := []struct {
		words   string // refused as; empty for allowed
		private bool   // allowed with AllowPrivate
		addrs   []string
	}{
		{"", true, []string{"1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.0.1",
			"172.32.0.1", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
			"169.253.255.255", "9.255.255.255", "11.0.0.0", "126.255.255.255", "128.0.0.0", "1.0.0.0",
			"2606:4700:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "2001:200::1", "2003::1", "3ffe::1",
			"::ffff:8.8.8.8"}},
		{"unspecified", false, []string{"0.0.0.0", "0.1.2.3", "0.255.255.255", "::", "::ffff:0.0.0.0"}},
		{"loopback", true, []string{"127.0.0.1", "127.255.255.255", "::1", "::1%lo", "::ffff:127.0.0.1"}},
		{"private", true, []string{"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1",
			"::ffff:192.168.1.1", "::ffff:10.0.0.1", "fc00::1", "fdff::1", "fd00::1%eth0"}},
		{"shared (carrier NAT)", true, []string{"100.64.0.1", "100.127.255.255", "::ffff:100.64.0.1"}},
		{"link-local", true, []string{"169.254.169.254", "169.254.0.0", "fe80::1", "fe80::1%eth0", "febf::1", "::ffff:169.254.169.254"}},
		{"site-local", true, []string{"fec0::1", "feff::1"}},
		{"reserved for protocols", true, []string{"192.0.0.1", "192.0.0.170", "2001:10::1", "2001:20::1", "2001:1::1", "2001:1ff::1"}},
		{"documentation", true, []string{"192.0.2.1", "198.51.100.7", "203.0.113.9", "2001:db8::1", "3fff::1", "3fff:fff::1", "::ffff:192.0.2.1"}},
		{"benchmarking", true, []string{"198.18.0.1", "198.19.255.255", "2001:2::1"}},
		{"6to4 relay", true, []string{"192.88.99.1"}},
		{"6to4", true, []string{"2002::1", "2002:7f00:1::1", "2002:808:808::1"}},
		{"Teredo", true, []string{"2001::1", "2001:0:7f00:1::"}},
		{"NAT64", true, []string{"64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "64:ff9b:1:ffff::a00:1"}},
		{"IPv4-compatible", true, []string{"::7f00:1", "::8.8.8.8", "::2"}},
		{"IPv4-translated", true, []string{"::ffff:0:7f00:1"}},
		{"discard", false, []string{"100::1"}},
		{"multicast", false, []string{"224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1", "::ffff:224.0.0.1"}},
		{"reserved", false, []string{"240.0.0.1", "255.255.255.255", "::ffff:255.255.255.255"}},
		{"reserved", true, []string{"4000::1", "5f00::1", "e000::1", "100:0:0:1::1", "64:ff9b:2::1", "1::"}},
	}
	for _, c := range cases {
		for _, text := range c.addrs {
			addr := netip.MustParseAddr(text)
			if got := checkAddr(addr, false); got != c.words {
				t.Errorf("%s: %q, want %q", text, got, c.words)
			}
			if got := checkAddr(addr, true); (got == "") != c.private {
				t.Errorf("%s with AllowPrivate: %q", text, got)
			}
		}
	}
	if checkAddr(netip.Addr{}, true) == "" {
		t.Error("the zero address is allowed")
	}
}

// Every special range is refused from its first to its last address.
func TestCheckAddrBorders(t *testing.T) {
	if len(specials) < 30 {
		t.Errorf("%d ranges, which are the seeds of the fuzz target too", len(specials))
	}
	for _, s := range specials {
		last := s.prefix.Addr().AsSlice()
		for i := s.prefix.Bits(); i < len(last)*8; i++ {
			last[i/8] |= 1 << (7 - i%8)
		}
		end, _ := netip.AddrFromSlice(last)
		for _, addr := range []netip.Addr{s.prefix.Addr(), end} {
			if checkAddr(addr, false) == "" {
				t.Errorf("%s of %s is allowed", addr, s.prefix)
			}
		}
	}
}

// The standard library's own idea of special addresses is never wider than ours.
func FuzzCheckAddr(f *testing.F) {
	for _, s := range specials {
		f.Add(s.prefix.Addr().AsSlice())
	}
	f.Add([]byte{8, 8, 8, 8})
	f.Fuzz(func(t *testing.T, b []byte) {
		addr, ok := netip.AddrFromSlice(b)
		if !ok || checkAddr(addr, false) != "" {
			return
		}
		u := addr.Unmap()
		if u.IsLoopback() || u.IsPrivate() || u.IsLinkLocalUnicast() || u.IsMulticast() || u.IsUnspecified() || !u.IsGlobalUnicast() {
			t.Errorf("%s is allowed", addr)
		}
	})
}
