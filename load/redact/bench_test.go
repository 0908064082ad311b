package redact_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/load/redact"
)

// BenchmarkRedact: documentation and code as they are and as strings of JSON, and texts that have a keyword in each
// line.
func BenchmarkRedact(b *testing.B) {
	var files strings.Builder
	for _, pattern := range []string{"../../docs/*.md", "../../extract/*.go", "../../transform/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				b.Fatal(err)
			}
			files.Write(text)
		}
	}
	for name, text := range map[string]string{"files": files.String(), "JSON": quote(files.String()),
		"keywords": strings.Repeat(ordinary, 40)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				redact.Text(text)
			}
		})
	}
}
