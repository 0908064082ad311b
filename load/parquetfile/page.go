package parquetfile

import (
	"bytes"
	"encoding/binary"

	"github.com/apache/arrow/go/v17/parquet/metadata"
)

// This file encodes pages, as https://parquet.apache.org/docs/file-format/data-pages/encodings/ says.

// pageSize is how large a page gets before it is compressed, in bytes.
const pageSize = 1 << 20

// appendPage appends a page that begins at a row and at a value, of so many rows. It returns the row and the value
// after the page.
func (c *column) appendPage(out []byte, row, value, rows int) (page []byte, toRow, toValue int) {
	toRow, toValue = row, value
	for size := 0; toRow < rows && size < pageSize; toRow++ {
		if c.nullable && c.levels[toRow] == 0 {
			continue
		}
		if c.bytes != nil {
			size += len(c.bytes[toValue])
		}
		size += 4
		toValue++
	}
	if c.nullable {
		out = appendLevels(out, c.levels[row:toRow])
	}
	switch {
	case c.bytes != nil:
		for _, b := range c.bytes[value:toValue] {
			out = append(binary.LittleEndian.AppendUint32(out, uint32(len(b))), b...)
		}
	case c.ints != nil:
		for _, n := range c.ints[value:toValue] {
			out = binary.LittleEndian.AppendUint64(out, uint64(n))
		}
	default:
		out = appendBits(out, c.bools[value:toValue], func(b bool) bool { return b })
	}
	return out, toRow, toValue
}

// appendLevels appends which rows have a value: as one run if all are alike, else as bits. The length comes first.
func appendLevels(out, levels []byte) []byte {
	begin := len(out)
	out = append(out, 0, 0, 0, 0)
	if n := bytes.Count(levels, levels[:1]); n == len(levels) {
		out = append(binary.AppendUvarint(out, uint64(n)<<1), levels[0])
	} else {
		out = binary.AppendUvarint(out, uint64(len(levels)+7)/8<<1|1)
		out = appendBits(out, levels, func(level byte) bool { return level == 1 })
	}
	binary.LittleEndian.PutUint32(out[begin:], uint32(len(out)-begin-4))
	return out
}

// appendBits appends a bit for each value, the first in the lowest bit.
func appendBits[T any](out []byte, values []T, isSet func(T) bool) []byte {
	for i, v := range values {
		if i%8 == 0 {
			out = append(out, 0)
		}
		if isSet(v) {
			out[len(out)-1] |= 1 << (i % 8)
		}
	}
	return out
}

// mostCompared is the longest text for which a column has its least and its greatest value: nobody looks for longer
// ones.
const mostCompared = 256

// statistics returns by what readers skip the column.
func (c *column) statistics(rows int) (s metadata.EncodedStatistics) {
	values := max(len(c.bytes), len(c.ints), len(c.bools))
	s.HasNullCount, s.NullCount = true, int64(rows-values)
	switch {
	case len(c.ints) > 0:
		least, most := c.ints[0], c.ints[0]
		for _, n := range c.ints {
			least, most = min(least, n), max(most, n)
		}
		s.Signed = true
		s.Min, s.Max = binary.LittleEndian.AppendUint64(nil, uint64(least)),
			binary.LittleEndian.AppendUint64(nil, uint64(most))
	case len(c.bytes) > 0:
		least, most := c.bytes[0], c.bytes[0]
		for _, b := range c.bytes {
			if len(b) > mostCompared {
				return s
			}
			if bytes.Compare(b, least) < 0 {
				least = b
			}
			if bytes.Compare(b, most) > 0 {
				most = b
			}
		}
		s.Min, s.Max = bytes.Clone(least), bytes.Clone(most) // they stay until the file ends
	default:
		return s
	}
	s.HasMin, s.HasMax = true, true
	return s
}
