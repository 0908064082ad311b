package extract

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
)

// decodeValue undoes the encodings in which Cursor stores a value (docs/formats.md, Encodings of values) and masks key
// material. Text, and blobs of UTF-8, stay as they are. Hex digits are decoded if they are those of a JSON object; an
// id may begin like one. A single byte 0 is an empty array. raw is the stored value, also masked; it is the same slice
// if nothing was decoded.
func decodeValue(v []byte) (decoded, raw []byte) {
	if len(v) == 1 && v[0] == 0 {
		return []byte("[]"), v
	}
	maskSecrets(v)
	if len(v) < 4 || !isHex(v[0]) || !isHex(v[1]) {
		return v, v
	}
	bytesOf := make([]byte, len(v)/2)
	n, err := hex.Decode(bytesOf, v[:len(v)/2*2])
	masked := bytes.Clone(bytesOf[:n]) // also mask digits that encode keys, even if the value is cut short
	maskSecrets(masked)
	maskDigits(v, bytesOf[:n], masked)
	if err == nil && len(v)%2 == 0 && bytes.HasPrefix(bytes.TrimLeft(masked, " \t\r\n"), []byte("{")) &&
		json.Valid(masked) {
		return masked, v
	}
	return v, v
}

// maskDigits overwrites the hex digits of the bytes that were masked, and leaves the others as they are.
func maskDigits(digits, plain, masked []byte) {
	for i := range masked {
		if masked[i] != plain[i] {
			hex.Encode(digits[2*i:], masked[i:i+1])
		}
	}
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// secretKeys are endings of names of JSON keys. String values of such keys are masked wherever they occur
// (docs/formats.md, Secrets).
var secretKeys = [][]byte{
	[]byte(`blobEncryptionKey"`), []byte(`speculativeSummarizationEncryptionKey"`),
	[]byte(`accessToken"`), []byte(`AccessToken"`), []byte(`refreshToken"`), []byte(`RefreshToken"`),
}

// maskSecrets overwrites the string values of secret keys with x, in place and in the same length. The JSON need not be
// valid: a value that is cut short is masked to its end.
func maskSecrets(v []byte) { mask(v, false) }

// maskNode is maskSecrets for a node of the agent's graph. Where a string does not end, its field does: at a control
// character, which a string has escaped.
func maskNode(v []byte) { mask(v, !bytes.HasPrefix(v, []byte("{"))) }

func mask(v []byte, fields bool) {
	key, token := []byte("Key"), []byte(`Token"`)
	nested := false // a key may be in a string
	for at := indexFrom(v, 0, key); at >= 0; at = indexFrom(v, at, key) {
		at += len(key)
		nested = nested || bytes.HasPrefix(v[at:], []byte(`\`))
		if bytes.HasPrefix(v[at:], []byte(`"`)) {
			at = maskAfter(v, at+1, fields)
		}
	}
	for at := indexFrom(v, 0, token); at >= 0; at = indexFrom(v, at, token) {
		at = maskAfter(v, at+len(token), fields)
	}
	if nested {
		maskNested(v)
	}
}

// indexFrom is bytes.Index from a place on.
func indexFrom(v []byte, at int, what []byte) int {
	i := bytes.Index(v[at:], what)
	if i < 0 {
		return i
	}
	return at + i
}

// maskAfter masks the string after a name that ends at a place, if it is the name of a secret, and returns where it
// went on to.
func maskAfter(v []byte, at int, fields bool) int {
	if endsInSecret(v[:at]) {
		at += maskString(v[at:], fields)
	}
	return at
}

// maskNested masks Cursor's own encryption keys in JSON that is a string in other JSON, at any depth. The quotes are
// escaped there. Other secrets in such strings stay: people pasted them, or tools printed them.
func maskNested(v []byte) {
	suffix := []byte("EncryptionKey\\")
	for at := 0; ; {
		i := bytes.Index(v[at:], suffix)
		if i < 0 {
			return
		}
		at += i + len(suffix) - 1
		quote := at
		for quote < len(v) && v[quote] == '\\' {
			quote++
		}
		escapes := v[at:quote] // at this depth, each quote has this many backslashes before it
		at = quote
		if at == len(v) || v[at] != '"' {
			continue
		}
		open := append(bytes.Clone(escapes), '"')
		at = skipSpace(v, at+1)
		if at == len(v) || v[at] != ':' {
			continue
		}
		if at = skipSpace(v, at+1); !bytes.HasPrefix(v[at:], open) {
			continue
		}
		at += len(open)
		end := bytes.Index(v[at:], open)
		if end < 0 {
			end = len(v) - at
		}
		for i := range v[at : at+end] {
			if v[at+i] != '\\' && v[at+i] != '"' {
				v[at+i] = 'x'
			}
		}
		at += end
	}
}

func endsInSecret(v []byte) bool {
	for _, k := range secretKeys {
		if bytes.HasSuffix(v, k) {
			return true
		}
	}
	return false
}

// maskString masks the string that follows the colon at the start of v, and returns where the string ends. With fields,
// a control character ends it, too.
func maskString(v []byte, fields bool) int {
	i := skipSpace(v, 0)
	if i == len(v) || v[i] != ':' {
		return i
	}
	if i = skipSpace(v, i+1); i == len(v) || v[i] != '"' {
		return i
	}
	for i++; i < len(v) && v[i] != '"' && (!fields || v[i] >= ' '); i++ {
		if v[i] == '\\' && i+1 < len(v) {
			v[i] = 'x'
			i++
		}
		v[i] = 'x'
	}
	return i
}

func skipSpace(v []byte, i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\t' || v[i] == '\n' || v[i] == '\r') {
		i++
	}
	return i
}
