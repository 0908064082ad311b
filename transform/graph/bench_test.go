package graph_test

import (
	"testing"

	"pipeline/testdata/gen/graphtest"
	"pipeline/transform/graph"
)

// BenchmarkGraph decodes a conversation of 200 prompts.
func BenchmarkGraph(b *testing.B) {
	var chat graphtest.Chat
	for seed := range uint64(50) {
		chat.Turns = append(chat.Turns, graphtest.Random(seed).Turns...)
	}
	g := chat.Build()
	size := 0
	for _, blob := range g.Blobs {
		size += len(blob)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (graph.Root{Bytes: g.Root}).Decode(from(g.Blobs), graph.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(g.Blobs)), "blobs")
}
