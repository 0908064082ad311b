package extract

import "testing"

// TestSumsHasNodes: the sums over the rows of a conversation say whether there are nodes, so that nobody reads all
// bubbles again to find out.
func TestSumsHasNodes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		families []string
		want     bool
	}{
		{nil, false},
		{[]string{FamilyComposer, FamilyBubble, FamilyRoot, FamilyCloud}, false},
		{[]string{FamilyComposer, FamilyBubble, FamilyNode}, true},
		{[]string{FamilyCLIMeta, FamilyCLINode}, true},
	} {
		c := &Conversation{Parts: func(yield func(*Document, error) bool) {
			for _, family := range test.families {
				if !yield(&Document{Family: family, Key: family, ID: family}, nil) {
					return
				}
			}
		}}
		for _, limit := range []int64{0, 1 << 20} { // not held, held
			if sums, _, err := c.Load(limit); err != nil || sums.HasNodes() != test.want {
				t.Errorf("%q, at most %d bytes: %v, %v", test.families, limit, sums.HasNodes(), err)
			}
		}
	}
}
