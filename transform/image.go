package transform

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// The bytes of an image are in no column: only its media type and its size are (docs/formats.md, Images). Its bytes are
// in the raw layer.

// imageMembers are the members in which the bytes of an image may be a text.
var imageMembers = map[string]bool{"data": true, "base64": true, "bytes": true, "buffer": true, "hex": true,
	"content": true, "imageData": true, "dataUrl": true, "url": true, "uri": true, "src": true}

// shortest is how long a text in such a member is at least that is taken for bytes, and not for a word.
const shortest = 64

// imageBytes are the bytes of an image: how many there are, the first of them, and the media type if it is stated.
type imageBytes struct {
	size  int64
	first []byte
	media string
}

// imageDetail is what an image says of itself, without its bytes.
func imageDetail(v jsondoc.Value) schema.JSON {
	var found imageBytes
	var out []byte
	switch {
	case v.IsObject():
		out = withoutBytes(v, &found)
	case found.read("data", v):
		out = []byte("{}")
	default:
		return v.JSON()
	}
	if found.size == 0 {
		return out
	}
	about, err := json.Marshal(struct {
		MediaType string `json:"mediaType,omitempty"`
		Size      int64  `json:"sizeBytes"`
	}{found.mediaType(), found.size})
	if err != nil {
		return nil
	}
	if len(out) == len("{}") {
		return about
	}
	return append(append(out[:len(out)-1], ','), about[1:]...)
}

// imageless is column without the bytes of the images in it, such as the screenshots in what a tool returns.
func imageless(v jsondoc.Value) schema.JSON {
	if !bytes.Contains(v.Raw(), []byte("image")) && !bytes.Contains(v.Raw(), []byte("screenshot")) {
		return v.Column()
	}
	found := false
	out := withoutImages(v, &found)
	if !found {
		return v.Column()
	}
	return out
}

// withoutImages writes a value with what is said of each image in place of its bytes. It looks into texts that are
// JSON, too.
func withoutImages(v jsondoc.Value, found *bool) []byte {
	switch {
	case v.IsString() && bytes.HasPrefix(v.TextBytes(), []byte("data:image/")), isImage(v), isPicture(v):
		*found = true
		return imageDetail(v)
	case v.IsString():
		inner := false
		if doc := v.Unquoted(); !doc.IsString() {
			if out, err := json.Marshal(string(withoutImages(doc, &inner))); inner && err == nil {
				*found = true
				return out
			}
		}
	case v.IsArray():
		return writeParts('[', ']', v.Inside, func(e jsondoc.Value) []byte { return withoutImages(e, found) })
	case v.IsObject():
		return writeParts('{', '}', v.Members, func(e jsondoc.Value) []byte {
			return writeMember(e, withoutImages(e, found))
		})
	}
	return v.Clean()
}

// writeParts writes the parts of an object or an array, but those of which nothing is written.
func writeParts(begin, end byte, parts func(func(jsondoc.Value) bool), write func(jsondoc.Value) []byte) []byte {
	out := []byte{begin}
	for part := range parts {
		written := write(part)
		if written == nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, written...)
	}
	return append(out, end)
}

// writeMember writes a member of an object with another value.
func writeMember(v jsondoc.Value, written []byte) []byte {
	name, err := json.Marshal(schema.CleanText(string(v.Name())))
	if err != nil {
		return nil
	}
	return append(append(name, ':'), written...)
}

// isImage reports whether an object says that it is an image.
func isImage(v jsondoc.Value) bool {
	return v.IsObject() && (v.Get("type").Text() == "image" ||
		strings.HasPrefix(v.First("mimeType", "mediaType", "media_type", "mime_type").Text(), "image/"))
}

// isPicture reports whether a text is the bytes of an image by the name of its member.
func isPicture(v jsondoc.Value) bool {
	name := string(v.Name())
	var found imageBytes
	return v.IsString() && (name == "screenshot" || name == "imageData") && found.readText("data", v.Text()) &&
		found.mediaType() != ""
}

// withoutBytes writes an object without the members that are the bytes of an image.
func withoutBytes(o jsondoc.Value, found *imageBytes) []byte {
	return writeParts('{', '}', o.Members, func(member jsondoc.Value) []byte {
		switch {
		case found.read(string(member.Name()), member):
			return nil
		case member.IsObject():
			return writeMember(member, withoutBytes(member, found))
		}
		return writeMember(member, member.Clean())
	})
}

// read notes a value if it is the bytes of an image: a text of them, a list of numbers, or an object of numbers by
// their places, as JSON has of arrays of bytes.
func (i *imageBytes) read(name string, v jsondoc.Value) bool {
	switch {
	case v.IsString():
		return i.readText(name, v.Text())
	case v.IsArray() && (imageMembers[name] || v.Length() >= shortest):
		return i.readNumbers(v.Inside)
	case v.IsObject() && v.HasMembers():
		if v.Get("0").Exists() {
			return i.readNumbers(v.Members)
		}
		inner := v.First("data", "hex", "base64")
		if kind := v.First("__type", "type").Text(); kind == "Uint8Array" || kind == "Buffer" {
			return i.read("data", inner)
		}
	}
	return false
}

// readText reads a URL with data, base64 or hex digits.
func (i *imageBytes) readText(name, text string) bool {
	if rest, ok := strings.CutPrefix(text, "data:"); ok {
		about, data, _ := strings.Cut(rest, ",")
		i.media, _, _ = strings.Cut(about, ";")
		i.note(base64Bytes(data))
		return true
	}
	if !imageMembers[name] || len(text) < shortest || strings.Contains(text, "://") {
		return false
	}
	if b, err := hex.DecodeString(text); err == nil {
		i.note(b)
		return true
	}
	b := base64Bytes(text)
	i.note(b)
	return b != nil
}

// base64Bytes decodes base64 of either alphabet; nil if it is none.
func base64Bytes(text string) []byte {
	text = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "").Replace(strings.TrimRight(text, "="))
	b, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return b
}

// readNumbers reads bytes that are numbers.
func (i *imageBytes) readNumbers(all func(func(jsondoc.Value) bool)) bool {
	var b []byte
	for v := range all {
		n := v.Integer()
		if n == nil || *n < 0 || *n > 255 {
			return false
		}
		b = append(b, byte(*n))
	}
	i.note(b)
	return len(b) > 0
}

func (i *imageBytes) note(b []byte) {
	i.size += int64(len(b))
	if i.first == nil {
		i.first = b[:min(len(b), 16)]
	}
}

// mediaType is the stated type, else that which the first bytes tell.
func (i *imageBytes) mediaType() string {
	if i.media != "" {
		return i.media
	}
	for begin, media := range map[string]string{"\x89PNG": "image/png", "\xff\xd8\xff": "image/jpeg",
		"GIF8": "image/gif", "BM": "image/bmp"} {
		if bytes.HasPrefix(i.first, []byte(begin)) {
			return media
		}
	}
	if len(i.first) >= 12 && string(i.first[:4]) == "RIFF" && string(i.first[8:12]) == "WEBP" {
		return "image/webp"
	}
	return ""
}
