package transform

import (
	"pipeline/extract"
	"pipeline/transform/graph"
	"pipeline/transform/jsondoc"
)

// Usable reports whether a row's value is a JSON object, as every row of a conversation must be but nodes and
// transcripts.
func Usable(d *extract.Document) bool {
	switch {
	case d.IsNode():
		return true
	case d.Family == extract.FamilyTranscript:
		return saysAnything(d)
	case d.Family == extract.FamilyRoot:
		_, ok := hashOf(d.Value)
		return ok
	case d.Family == extract.FamilyCloud:
		_, ok := graph.ReadCloudRow(d.Value)
		return ok
	}
	memory := jsondoc.Borrow()
	defer memory.GiveBack()
	v, err := memory.Parse(d.Value)
	return err == nil && v.IsObject()
}
