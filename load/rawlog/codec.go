package rawlog

import (
	"fmt"
	"sync"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

// This file makes the compression of the raw layer's files cheap: the library's own codec begins an encoder for each page, with megabytes of
// tables, and every value here is a page or more.

// fastest is the level at which the raw layer is compressed: the fastest.
const fastest = 1

// codec is the library's, but for the level of the raw layer: one encoder does all pages.
type codec struct {
	compress.Codec
	encoder *zstd.Encoder
}

func (c codec) EncodeLevel(dst, src []byte, level int) []byte {
	if level != fastest {
		return c.Codec.EncodeLevel(dst, src, level)
	}
	return c.encoder.EncodeAll(src, dst[:0])
}

// registerCodec puts the codec in the place of the library's.
var registerCodec = sync.OnceValue(func() error {
	library, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		return fmt.Errorf("find the compression of the raw layer: %w", err)
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(fastest)),
		zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return fmt.Errorf("begin the compression of the raw layer: %w", err)
	}
	compress.RegisterCodec(compress.Codecs.Zstd, codec{library, encoder})
	return nil
})
