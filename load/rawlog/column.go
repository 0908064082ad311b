package rawlog

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// byteColumn holds the values of a row group. A builder of the library begins with empty buffers for each group, and doubles them until they are large enough.
// These buffers are used again.
type byteColumn struct {
	data    []byte
	offsets []int32
	valid   []byte // a bit for each value, the lowest first
	nulls   int
}

func (c *byteColumn) len() int { return max(len(c.offsets)-1, 0) }

// append adds a copy of a value; nil is NULL.
func (c *byteColumn) append(v []byte) {
	if len(c.offsets) == 0 {
		c.offsets = append(c.offsets, 0)
	}
	n := c.len()
	if n%8 == 0 {
		c.valid = append(c.valid, 0)
	}
	if v != nil {
		c.valid[n/8] |= 1 << (n % 8)
	} else {
		c.nulls++
	}
	c.data = append(c.data, v...)
	c.offsets = append(c.offsets, int32(len(c.data))) // a value has 64 MiB at most, and a group ends with the first that is larger than it
}

// array returns the column as an Arrow array. It is valid until reset.
func (c *byteColumn) array(t arrow.DataType) arrow.Array {
	var valid *memory.Buffer // none: all are
	if c.nulls > 0 {
		valid = memory.NewBufferBytes(c.valid)
	}
	data := array.NewData(t, c.len(), []*memory.Buffer{valid, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(c.offsets)), memory.NewBufferBytes(c.data)}, nil, c.nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// reset empties the column. It keeps the buffers, unless a large value has made them much larger than a group.
func (c *byteColumn) reset(group int64) {
	if int64(cap(c.data)) > 2*group {
		c.data = nil
	}
	c.data, c.offsets, c.valid, c.nulls = c.data[:0], c.offsets[:0], c.valid[:0], 0
}
