package extract

import (
	"context"
	"database/sql"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// SQLite holds all TEXT of a file in one encoding, which the file's first writer chose. It gives keys and columns in UTF-8 whatever that is; the
// values of TEXT are read as the bytes that they are, and brought to UTF-8 here.

// readEncoding notes the encoding of the store.
func (s *store) readEncoding(ctx context.Context) (err error) {
	s.utf16, err = textOrder(ctx, s.snap.Conn())
	return err
}

// textOrder is the order of bytes in TEXT that is UTF-16; nil where it is UTF-8.
func textOrder(ctx context.Context, conn *sql.Conn) (binary.ByteOrder, error) {
	var encoding string
	if err := conn.QueryRowContext(ctx, "PRAGMA encoding").Scan(&encoding); err != nil {
		return nil, err
	}
	switch encoding {
	case "UTF-16le":
		return binary.LittleEndian, nil
	case "UTF-16be":
		return binary.BigEndian, nil
	}
	return nil, nil
}

// readLimit is the size of a value, as stored, up to which it is read: in UTF-16, TEXT of MaxValueBytes may take twice as many bytes.
func readLimit(order binary.ByteOrder) int64 {
	if order != nil {
		return 2 * MaxValueBytes
	}
	return MaxValueBytes
}

// fromUTF16 is a text in UTF-8. Half of a pair becomes U+FFFD.
func fromUTF16(text []byte, order binary.ByteOrder) []byte {
	out := make([]byte, 0, len(text)/2)
	for i := 0; i+1 < len(text); i += 2 {
		r := rune(order.Uint16(text[i:]))
		if utf16.IsSurrogate(r) {
			second := rune(0)
			if i+3 < len(text) {
				second = rune(order.Uint16(text[i+2:]))
			}
			if r = utf16.DecodeRune(r, second); r != utf8.RuneError {
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}
