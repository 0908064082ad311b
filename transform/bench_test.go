package transform

import (
	"path/filepath"
	"testing"

	"pipeline/extract"
	"pipeline/testdata/gen/storetest"
)

// conversations are those of a generated store, in memory, with what they share; size is that of their values.
func conversations(b *testing.B, messages int) (all []*extract.Conversation, shared *extract.Shared, size int64) {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "User")
	if err := storetest.New(storetest.Options{Seed: 7, Messages: messages, NoCases: true}).Write(dir); err != nil {
		b.Fatal(err)
	}
	found, err := extract.Resolve(dir, extract.HostEnv(""))
	if err != nil || len(found) != 1 {
		b.Fatalf("%d sources, %v", len(found), err)
	}
	snapshot, err := found[0].Open(b.Context(), extract.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = snapshot.Close() })
	for conv, err := range snapshot.Conversations(b.Context()) {
		if err != nil {
			b.Fatal(err)
		}
		if _, held, err := conv.Load(1 << 30); err != nil || !held {
			b.Fatalf("a conversation is not in memory: %v", err)
		}
		if conv.Head != nil {
			size += int64(len(conv.Head.Value))
		}
		for d, err := range conv.Parts {
			if err != nil {
				b.Fatal(err)
			}
			size += int64(len(d.Value))
		}
		all = append(all, conv)
	}
	return all, snapshot.Shared(), size
}

// BenchmarkNormalize makes rows of some thousand messages of every era.
func BenchmarkNormalize(b *testing.B) {
	all, shared, size := conversations(b, 3000)
	n := &Normalizer{SourceID: "s", Shared: ReadShared("s", shared, nil)}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		messages := 0
		for _, conv := range all {
			for rows, err := range n.Normalize(conv) {
				if err != nil {
					b.Fatal(err)
				}
				messages += len(rows.Messages)
			}
		}
		if messages < 2500 {
			b.Fatalf("only %d messages", messages)
		}
	}
}

// BenchmarkParse checks and cuts bubbles as they are stored, some hundred of them.
func BenchmarkParse(b *testing.B) {
	all, _, _ := conversations(b, 600)
	var bubbles []*extract.Document
	var size int64
	for _, conv := range all {
		for d, err := range conv.Parts {
			if err != nil {
				b.Fatal(err)
			}
			if d.Family == extract.FamilyBubble && !d.IsNull() {
				bubbles = append(bubbles, d)
				size += int64(len(d.Value))
			}
		}
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		usable := 0
		for _, d := range bubbles {
			if Usable(d) {
				usable++
			}
		}
		if usable == 0 {
			b.Fatal("not one bubble is usable")
		}
	}
}
