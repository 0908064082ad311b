package rawlog

import (
	"fmt"
	"sync"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

// This file makes the compression of the raw layer's files cheap. The library's own codec makes an encoder for each page, with megabytes of tables, and here
// each value is a page or more.

// fastest is the compression level of the raw layer.
const fastest = 1

// codec is the library's codec, but at the level of the raw layer one encoder compresses all pages.
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

// registerCodec replaces the library's codec by our own.
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
