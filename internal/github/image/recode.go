package image

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"

	"golang.org/x/image/webp"
)

// format decodes one kind of image. The registry of the standard package image is
// not used: it holds whatever some import has put in.
type format struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

// formatOf goes by the first bytes, never by what a server says. SVG is text and
// has no place here.
func formatOf(data []byte) (f format, mime string, ok bool) {
	switch mime = http.DetectContentType(data); mime {
	case "image/png":
		return format{png.DecodeConfig, png.Decode}, mime, true
	case "image/jpeg":
		return format{jpeg.DecodeConfig, jpeg.Decode}, mime, true
	case "image/gif":
		return format{gif.DecodeConfig, gif.Decode}, mime, true
	case "image/webp":
		return format{webp.DecodeConfig, webp.Decode}, mime, true
	}
	return format{}, mime, false
}

// recode decodes an image and encodes it again: a JPEG as JPEG, all else as PNG, or
// as JPEG too where that would be over maxBytes.
func recode(data []byte, maxPixels, maxBytes int64) (Image, error) {
	f, mime, ok := formatOf(data)
	if !ok {
		return Image{}, fmt.Errorf("%w: it looks like %s", ErrFormat, mime)
	}
	c, err := f.config(bytes.NewReader(data))
	if err != nil {
		return Image{}, fmt.Errorf("%w: %s: %w", ErrFormat, mime, err)
	}
	if c.Width <= 0 || c.Height <= 0 || int64(c.Width) > maxPixels/int64(c.Height) {
		return Image{}, fmt.Errorf("%w: %d x %d pixels, and %d in all are allowed", ErrTooLarge, c.Width, c.Height, maxPixels)
	}
	img, err := f.decode(bytes.NewReader(data))
	if err != nil {
		return Image{}, fmt.Errorf("%w: %s: %w", ErrFormat, mime, err)
	}
	return encode(img, mime, maxBytes)
}

func encode(img image.Image, mime string, maxBytes int64) (Image, error) {
	out := Image{Width: img.Bounds().Dx(), Height: img.Bounds().Dy()}
	var b bytes.Buffer
	if out.MIME = "image/png"; mime != "image/jpeg" {
		if err := png.Encode(&b, img); err != nil {
			return Image{}, fmt.Errorf("encode as PNG: %w", err)
		}
	}
	if mime == "image/jpeg" || int64(b.Len()) > maxBytes {
		out.MIME = "image/jpeg"
		b.Reset()
		if err := jpeg.Encode(&b, opaque(img), &jpeg.Options{Quality: 90}); err != nil {
			return Image{}, fmt.Errorf("encode as JPEG: %w", err)
		}
	}
	if int64(b.Len()) > maxBytes {
		return Image{}, fmt.Errorf("%w: more than %d bytes when encoded", ErrTooLarge, maxBytes)
	}
	out.Data = b.Bytes()
	return out, nil
}

// opaque lays an image that may be transparent on white, as a browser would show it.
func opaque(img image.Image) image.Image {
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
		return img
	}
	flat := image.NewRGBA(img.Bounds())
	draw.Draw(flat, flat.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Bounds(), img, img.Bounds().Min, draw.Over)
	return flat
}
