package image

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"hash/crc32"
	stdimage "image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync/atomic"
	"testing"
)

// The tests are inside the package, since only from here a server on this machine
// can be allowed.

// Package http reads the environment for proxies once.
func TestMain(m *testing.M) {
	os.Setenv("HTTPS_PROXY", "http://127.0.0.1:9")
	os.Exit(m.Run())
}

func TestFetchEncodesAnew(t *testing.T) {
	for _, tt := range []struct {
		name, mime string
		data       []byte
		at         color.Color // of the pixel 0, 0
	}{
		{"png", "image/png", pngOf(3, 2, red), red},
		{"jpeg", "image/jpeg", jpegOf(3, 2, red), red},
		{"gif", "image/png", gifOf(3, 2, red, blue), red},
		{"webp", "image/png", webpOf(3, 2, blue), blue},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data := append(tt.data, "<script>rides along</script>"...)
			f, address := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html") // does not matter
				w.Write(data)
			})
			img, err := f.Fetch(t.Context(), address+"/a?signature=s")
			if err != nil {
				t.Fatal(err)
			}
			if img.URL != address+"/a?signature=s" || img.MIME != tt.mime || img.Width != 3 || img.Height != 2 {
				t.Errorf("got %s %s %d x %d", img.URL, img.MIME, img.Width, img.Height)
			}
			if bytes.Contains(img.Data, []byte("rides along")) {
				t.Error("the tail was kept")
			}
			back, _, err := stdimage.Decode(bytes.NewReader(img.Data))
			if err != nil || !near(back.At(0, 0), tt.at) {
				t.Errorf("the pixel is %v, want %v (%v)", back.At(0, 0), tt.at, err)
			}
		})
	}
}

func TestFetchSendsNothingOfItsOwn(t *testing.T) {
	headers := map[string]http.Header{}
	f, address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		headers[r.URL.Path] = r.Header
		if r.URL.Path == "/first" {
			w.Header().Set("Set-Cookie", "c=1; Path=/")
			http.Redirect(w, r, "/second", http.StatusFound)
			return
		}
		w.Write(pngOf(1, 1, red))
	})
	if _, err := f.Fetch(t.Context(), address+"/first?signature=s"); err != nil {
		t.Fatal(err)
	}
	for path, h := range headers {
		for name := range h {
			if !strings.Contains("User-Agent Accept Connection", name) {
				t.Errorf("%s was sent %s", path, name)
			}
		}
	}
	if len(headers) != 2 {
		t.Errorf("%d requests, want 2", len(headers))
	}
}

func TestFetchRefuses(t *testing.T) {
	huge := pngOf(1, 1, red)
	resize(huge, 60_000, 60_000)
	over := pngOf(1, 1, red)
	resize(over, 10_000, 4_001)
	whole := pngOf(50, 50, red)
	for _, tt := range []struct {
		name string
		data []byte
		err  error
		text string
	}{
		{"huge", huge, ErrTooLarge, "60000 x 60000 pixels, and 40000000 in all are allowed"},
		{"over", over, ErrTooLarge, "10000 x 4001 pixels"},
		{"svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`), ErrFormat, "it looks like text/"},
		{"xml svg", []byte(`<?xml version="1.0"?><svg/>`), ErrFormat, "it looks like text/xml"},
		{"bmp", []byte("BM0000000000"), ErrFormat, "it looks like image/bmp"},
		{"truncated", whole[:len(whole)-20], ErrFormat, "image/png: "},
		{"truncated webp", []byte("RIFF\x10\x00\x00\x00WEBPVP8 "), ErrFormat, "image/webp: "},
		{"empty", nil, ErrFormat, "it looks like text/plain"},
		{"6 MB", make([]byte, 6<<20), ErrTooLarge, "more than 5242880 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, address := serve(t, func(w http.ResponseWriter, r *http.Request) { w.Write(tt.data) })
			_, err := f.Fetch(t.Context(), address)
			if !errors.Is(err, tt.err) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("error %v, want %q", err, tt.text)
			}
		})
	}
}

func TestFetchBreaksOff(t *testing.T) {
	f, address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.Write(pngOf(1, 1, red))
	})
	if _, err := f.Fetch(t.Context(), address); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	f, address = serve(t, http.NotFound)
	if _, err := f.Fetch(t.Context(), address+"/x?secret"); err == nil || err.Error() != `read an image of "example.com": HTTP status 404` {
		t.Errorf("error %v", err)
	}
}

func TestFetchRefusesAddresses(t *testing.T) {
	for _, tt := range []struct{ address, text string }{
		{"http://example.com/a.png", `the scheme is "http", not https`},
		{"file:///etc/passwd", `the scheme is "file", not https`},
		{"data:image/png;base64,AAAA", `the scheme is "data", not https`},
		{"https://u:p@example.com/", "it holds a user name"},
		{"https:///a.png", "it has no host"},
		{"https://\x7f/", "it cannot be parsed"},
		{"https://127.0.0.1/", "127.0.0.1 is not a public address"},
		{"https://[::1]/", "::1 is not a public address"},
		{"https://[::ffff:127.0.0.1]/", "127.0.0.1 is not a public address"},
		{"https://[64:ff9b::7f00:1]/", "64:ff9b::7f00:1 is not a public address"},
		{"https://169.254.169.254/latest/meta-data/", "169.254.169.254 is not a public address"},
		{"https://0.0.0.0/", "0.0.0.0 is not a public address"},
		{"https://8.8.8.8:8443/", "port 8443 is not 443"},
	} {
		_, err := new(Fetcher).Fetch(t.Context(), tt.address)
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("Fetch(%q): %v, want %q", tt.address, err, tt.text)
		}
	}
}

func TestFetchRefusesRedirects(t *testing.T) {
	for _, tt := range []struct{ to, text string }{
		{"http://169.254.169.254/latest/meta-data/", `the scheme is "http", not https`},
		{"https://169.254.169.254/latest/meta-data/", "169.254.169.254 is not a public address"},
		{"https://u@example.com/", "it holds a user name"},
		{"/again", "more than 3 redirects"},
		{"https://[", "a redirect cannot be parsed"},
	} {
		asked := 0
		f, address := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			w.Header().Set("Location", tt.to)
			w.WriteHeader(http.StatusFound)
		})
		_, err := f.Fetch(t.Context(), address)
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), tt.text) || strings.Contains(err.Error(), "meta-data") {
			t.Errorf("to %s: %v, want %q", tt.to, err, tt.text)
		}
		if want := map[bool]int{true: 4, false: 1}[tt.to == "/again"]; asked != want {
			t.Errorf("to %s: %d requests, want %d", tt.to, asked, want)
		}
	}
}

// The name stands for the allowed server first and for this machine's own address
// then, so a check of the name before the request would pass.
func TestFetchIsNotFooledByRebinding(t *testing.T) {
	var asked atomic.Int32
	f, address := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) })
	f.resolver = names(func() netip.Addr {
		if asked.Add(1) == 1 {
			return netip.MustParseAddr("127.0.0.2")
		}
		return netip.MustParseAddr("127.0.0.1")
	})
	_, err := f.Fetch(t.Context(), address)
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "127.0.0.1 is not a public address") {
		t.Errorf("error %v", err)
	}
	if asked.Load() != 2 {
		t.Errorf("the name was looked up %d times, want 2", asked.Load())
	}
}

func TestPublic(t *testing.T) {
	for _, a := range strings.Fields(`8.8.8.8 1.1.1.1 140.82.112.3 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1
		198.17.255.255 198.20.0.0 223.255.255.255 2606:50c0:8000::153 2a00:1450:4001::1 2001:4860:4860::8888`) {
		if !public(netip.MustParseAddr(a)) {
			t.Errorf("%s is refused", a)
		}
	}
	for _, a := range strings.Fields(`0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 169.254.169.254
		172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9
		224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
		:: ::1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 ::8.8.8.8 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:20::1 2001:db8::1
		2002:7f00:1::1 3fff::1 4000::1 5f00::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0 2606::1%x fec0::1 ff02::1`) {
		if public(netip.MustParseAddr(a)) {
			t.Errorf("%s is let through", a)
		}
	}
}

func TestLargePNGBecomesJPEG(t *testing.T) {
	noise := stdimage.NewNRGBA(stdimage.Rect(0, 0, 64, 64))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.Uint32())
	}
	var b bytes.Buffer
	if err := png.Encode(&b, noise); err != nil {
		t.Fatal(err)
	}
	img, err := recode(b.Bytes(), 1<<20, 10_000)
	if err != nil || img.MIME != "image/jpeg" {
		t.Errorf("%s of %d bytes from %d, %v", img.MIME, len(img.Data), b.Len(), err)
	}
	if _, err = recode(b.Bytes(), 1<<20, 100); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

func TestTransparentBecomesWhite(t *testing.T) {
	img := stdimage.NewNRGBA(stdimage.Rect(0, 0, 1, 1))
	if got := opaque(img).At(0, 0); !near(got, color.White) {
		t.Errorf("got %v", got)
	}
}

func FuzzRecode(f *testing.F) {
	f.Add(pngOf(2, 2, red))
	f.Add(jpegOf(2, 2, red))
	f.Add(gifOf(2, 2, red, blue))
	f.Add(webpOf(2, 2, red))
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := recode(data, 10_000, 1<<20)
		if err != nil {
			return
		}
		again, err := recode(img.Data, 10_000, 1<<20)
		if err != nil || again.MIME != img.MIME || again.Width != img.Width || again.Height != img.Height {
			t.Errorf("%s %d x %d became %s %d x %d, %v", img.MIME, img.Width, img.Height, again.MIME, again.Width, again.Height, err)
		}
	})
}

var (
	red  = color.NRGBA{255, 0, 0, 255}
	blue = color.NRGBA{0, 0, 255, 255}
)

// serve runs a server for example.com on 127.0.0.2 and gives a Fetcher that may
// reach it.
func serve(t *testing.T, h http.HandlerFunc) (*Fetcher, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skipf("no second address on this machine: %v", err)
	}
	s := httptest.NewUnstartedServer(h)
	s.Listener.Close()
	s.Listener = l
	s.StartTLS()
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	at := netip.MustParseAddrPort(l.Addr().String())
	f := &Fetcher{roots: roots, resolver: names(at.Addr), allow: func(a netip.AddrPort) bool { return a == at }}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return f, "https://example.com:" + port
}

// names is a resolver that answers each question for an IPv4 address with what
// address gives, over a pipe in place of a connection (RFC 1035, with the length in
// front as over TCP).
func names(address func() netip.Addr) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go answer(server, address)
		return client, nil
	}}
}

func answer(c net.Conn, address func() netip.Addr) {
	defer c.Close()
	for {
		var n uint16
		if binary.Read(c, binary.BigEndian, &n) != nil {
			return
		}
		q := make([]byte, n)
		if _, err := io.ReadFull(c, q); err != nil {
			return
		}
		end := 12 + bytes.IndexByte(q[12:], 0) + 5
		a := append([]byte{q[0], q[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, q[12:end]...)
		if q[end-3] == 1 { // a question for an address of IPv4
			a[7] = 1
			ip := address().As4()
			a = append(a, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ip[0], ip[1], ip[2], ip[3])
		}
		c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(a))), a...))
	}
}

func plain(w, h int, c color.Color) *stdimage.Paletted {
	return stdimage.NewPaletted(stdimage.Rect(0, 0, w, h), color.Palette{c})
}

func pngOf(w, h int, c color.Color) []byte {
	var b bytes.Buffer
	png.Encode(&b, plain(w, h, c))
	return b.Bytes()
}

func jpegOf(w, h int, c color.Color) []byte {
	var b bytes.Buffer
	jpeg.Encode(&b, plain(w, h, c), nil)
	return b.Bytes()
}

func gifOf(w, h int, frames ...color.Color) []byte {
	g := &gif.GIF{}
	for _, c := range frames {
		g.Image = append(g.Image, plain(w, h, c))
		g.Delay = append(g.Delay, 1)
	}
	var b bytes.Buffer
	gif.EncodeAll(&b, g)
	return b.Bytes()
}

// webpOf writes a lossless WebP (VP8L) of one colour: each of the five prefix codes
// has a single symbol, so the pixels take no bits.
func webpOf(w, h int, c color.NRGBA) []byte {
	var bits uint64
	var n int
	out := []byte{0x2f}
	put := func(v, width int) {
		bits |= uint64(v) << n
		for n += width; n >= 8; n -= 8 {
			out = append(out, byte(bits))
			bits >>= 8
		}
	}
	put(w-1, 14)
	put(h-1, 14)
	put(0, 1+3+3) // no alpha hint, version 0, no transform, cache or groups
	for _, symbol := range []uint8{c.G, c.R, c.B, c.A} {
		put(0b101, 3) // a simple code, one symbol, of eight bits
		put(int(symbol), 8)
	}
	put(0b0001, 4) // distance: one symbol of one bit, 0
	put(0, 8)
	out = append(out, make([]byte, len(out)%2)...)
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(12+len(out)))
	b = binary.LittleEndian.AppendUint32(append(b, "WEBPVP8L"...), uint32(len(out)))
	return append(b, out...)
}

// resize writes a size into the header of a PNG.
func resize(data []byte, w, h uint32) {
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
}

func near(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	x, y, z, _ := b.RGBA()
	off := func(p, q uint32) bool { return max(p, q)-min(p, q) > 0x800 }
	return !off(r, x) && !off(g, y) && !off(bl, z)
}
