package push_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pipeline/load/objects"
	"pipeline/load/push"
)

// A storeWith answers each reading in one way.
type storeWith struct {
	objects.Store
	text string
	err  error
}

func (s storeWith) Get(context.Context, string) ([]byte, error) { return []byte(s.text), s.err }

// TestPolicyRefused: a store that refuses to say whether it has a policy may get one that demands nothing, and needs no
// wider rights.
func TestPolicyRefused(t *testing.T) {
	refused := &objects.Error{Kind: objects.ErrRefused, Doing: "read", Place: "s3://lake/v1/policy.json"}
	_, err := push.ReadPolicy(t.Context(), storeWith{err: refused})
	if !errors.Is(err, objects.ErrRefused) ||
		!strings.Contains(err.Error(), "an object v1/policy.json with the text {}") {
		t.Error(err)
	}
	if p, err := push.ReadPolicy(t.Context(), storeWith{text: "{}"}); err != nil || p.MinLevel != "" || p.Deny != nil {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := push.ReadPolicy(t.Context(), storeWith{err: &objects.Error{Kind: objects.ErrMissing}}); err != nil {
		t.Error(err)
	}
}
