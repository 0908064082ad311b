package extract

import (
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// BenchmarkRead opens a store of some thousand messages and loads every conversation: a run's reading, without what is
// made of it.
func BenchmarkRead(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "User")
	if err := storetest.New(storetest.Options{Seed: 7, Messages: 3000, NoCases: true}).Write(dir); err != nil {
		b.Fatal(err)
	}
	found, err := Resolve(dir, HostEnv(""))
	if err != nil || len(found) != 1 {
		b.Fatalf("%d sources, %v", len(found), err)
	}
	b.ReportAllocs()
	for b.Loop() {
		size, err := loadAll(b, found[0])
		if err != nil || size == 0 {
			b.Fatalf("%d bytes, %v", size, err)
		}
		b.SetBytes(size)
	}
}

// loadAll reads every conversation of a source and returns how many bytes their values have.
func loadAll(b *testing.B, src Source) (size int64, err error) {
	snapshot, err := src.Open(b.Context(), OpenOptions{})
	if err != nil {
		return 0, err
	}
	defer snapshot.Close()
	for conv, err := range snapshot.Conversations(b.Context()) {
		if err != nil {
			return 0, err
		}
		if _, _, err := conv.Load(16 << 20); err != nil {
			return 0, err
		}
		if conv.Head != nil {
			size += int64(len(conv.Head.Value))
		}
		for d, err := range conv.Parts {
			if err != nil {
				return 0, err
			}
			size += int64(len(d.Value))
		}
	}
	return size, nil
}

// BenchmarkDecodeValue undoes encodings and masks keys: every value that is read goes through it.
func BenchmarkDecodeValue(b *testing.B) {
	text := `{"_v":2,"type":2,"bubbleId":"4f1c","text":"` +
		strings.Repeat(`the accessor of the key \"token\" is in the file; `, 80) + `","tokenCount":{"inputTokens":10}}`
	for _, test := range []struct{ name, value string }{
		{"text", text},
		{"secret", strings.Replace(text, `"_v"`, `"blobEncryptionKey":"c2VjcmV0","_v"`, 1)},
		{"hex", hex.EncodeToString([]byte(text))},
	} {
		b.Run(test.name, func(b *testing.B) {
			value := make([]byte, len(test.value))
			b.SetBytes(int64(len(value)))
			b.ReportAllocs()
			for b.Loop() {
				copy(value, test.value) // it is changed in place
				if decoded, raw := decodeValue(value); len(decoded) == 0 || len(raw) != len(value) {
					b.Fatal("the value is lost")
				}
			}
		})
	}
}
