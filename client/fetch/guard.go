package fetch

import "net/netip"

// special is one range that a service of the open network cannot have.
type special struct {
	prefix netip.Prefix
	words  string
	// never holds for ranges in which no host can be, whatever the user allows.
	never bool
}

// specials are the special-purpose ranges of the IANA registries (RFC 6890 and its
// updates), the narrower before the wider. Ranges that carry an IPv4 address inside
// (NAT64, 6to4, Teredo, IPv4-compatible) are refused whole, as a gateway behind
// them could lead anywhere.
var specials = []special{
	{netip.MustParsePrefix("0.0.0.0/8"), "unspecified", true},
	{netip.MustParsePrefix("10.0.0.0/8"), "private", false},
	{netip.MustParsePrefix("100.64.0.0/10"), "shared (carrier NAT)", false},
	{netip.MustParsePrefix("127.0.0.0/8"), "loopback", false},
	{netip.MustParsePrefix("169.254.0.0/16"), "link-local", false},
	{netip.MustParsePrefix("172.16.0.0/12"), "private", false},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved for protocols", false},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation", false},
	{netip.MustParsePrefix("192.88.99.0/24"), "6to4 relay", false},
	{netip.MustParsePrefix("192.168.0.0/16"), "private", false},
	{netip.MustParsePrefix("198.18.0.0/15"), "benchmarking", false},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation", false},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation", false},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast", true},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved", true},

	{netip.MustParsePrefix("::/128"), "unspecified", true},
	{netip.MustParsePrefix("::1/128"), "loopback", false},
	{netip.MustParsePrefix("::/96"), "IPv4-compatible", false},
	{netip.MustParsePrefix("::ffff:0:0:0/96"), "IPv4-translated", false},
	{netip.MustParsePrefix("64:ff9b::/96"), "NAT64", false},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "NAT64", false},
	{netip.MustParsePrefix("100::/64"), "discard", true},
	{netip.MustParsePrefix("2001::/32"), "Teredo", false},
	{netip.MustParsePrefix("2001:2::/48"), "benchmarking", false},
	{netip.MustParsePrefix("2001::/23"), "reserved for protocols", false},
	{netip.MustParsePrefix("2001:db8::/32"), "documentation", false},
	{netip.MustParsePrefix("2002::/16"), "6to4", false},
	{netip.MustParsePrefix("3fff::/20"), "documentation", false},
	{netip.MustParsePrefix("fc00::/7"), "private", false},
	{netip.MustParsePrefix("fe80::/10"), "link-local", false},
	{netip.MustParsePrefix("fec0::/10"), "site-local", false},
	{netip.MustParsePrefix("ff00::/8"), "multicast", true},
}

// global is all of IPv6 that is given out to hosts of the open network.
var global = netip.MustParsePrefix("2000::/3")

// checkAddr gives why an address may not be dialled, in a word or two such as
// "loopback"; empty when it may. allowPrivate opens the ranges in which a host of
// one's own can be.
func checkAddr(addr netip.Addr, allowPrivate bool) string {
	if !addr.IsValid() {
		return "not an address"
	}
	addr = addr.Unmap().WithZone("")
	for _, s := range specials {
		if s.prefix.Contains(addr) {
			if allowPrivate && !s.never {
				return ""
			}
			return s.words
		}
	}
	if addr.Is6() && !global.Contains(addr) && !allowPrivate {
		return "reserved"
	}
	return ""
}
