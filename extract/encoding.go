package extract

import (
	"context"
	"database/sql"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// SQLite holds all TEXT of a file in one encoding, which the file's first writer chose. Keys and columns reach us in
// UTF-8 in any case. Values of TEXT are read as stored bytes, and converted to UTF-8 here.

// readEncoding notes the encoding of the store.
func (s *store) readEncoding(ctx context.Context) (err error) {
	s.utf16, err = textOrder(ctx, s.snap.Conn())
	return err
}

// textOrder returns the byte order of the store's TEXT if that is UTF-16; nil if it is UTF-8.
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

// readLimit is the largest stored size of a value that is read: in UTF-16, TEXT of MaxValueBytes may take twice as many
// bytes.
func readLimit(order binary.ByteOrder) int64 {
	if order != nil {
		return 2 * MaxValueBytes
	}
	return MaxValueBytes
}

// fromUTF16 converts a text to UTF-8. A lone half of a surrogate pair becomes U+FFFD.
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
