package image

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"syscall"
)

// allowed looks at an address as it is written. What its name stands for is looked
// at when it is dialled, by control.
func allowed(u *url.URL) error {
	switch {
	case u.Scheme != "https":
		return fmt.Errorf("%w: the scheme is %q, not https", ErrRefused, u.Scheme)
	case u.User != nil:
		return fmt.Errorf("%w: it holds a user name", ErrRefused)
	case u.Hostname() == "":
		return fmt.Errorf("%w: it has no host", ErrRefused)
	}
	return nil
}

// control is called with each address that a name was resolved to, after the socket
// is made and before it is connected. No second look-up can come between, so a name
// that changes its address in the meantime gains nothing.
func (f *Fetcher) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s %s", ErrRefused, network, address)
	}
	if f.allow != nil && f.allow(ap) {
		return nil
	}
	switch {
	case !public(ap.Addr()):
		return fmt.Errorf("%w: %s is not a public address", ErrRefused, ap.Addr())
	case ap.Port() != 443:
		return fmt.Errorf("%w: port %d is not 443", ErrRefused, ap.Port())
	}
	return nil
}

// closed lists what IANA's special-purpose address registries (RFC 6890) have in the
// space that is otherwise public. Of IPv6 only 2000::/3 is handed out as unicast; all
// else is closed as a whole, with it loopback, link-local, unique local, multicast,
// IPv4-mapped, and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
var closed = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

var unicast = netip.MustParsePrefix("2000::/3")

func prefixes(all ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(all))
	for i, s := range all {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

func public(a netip.Addr) bool {
	if a.Is6() && !unicast.Contains(a) { // nor is one with a zone
		return false
	}
	for _, p := range closed {
		if p.Contains(a) {
			return false
		}
	}
	return a.IsValid()
}
