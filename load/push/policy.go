package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"pipeline/load/objects"
)

// Policy is what the administrator of a store says of all pushes to it. It can only make a push stricter. Nobody but
// the administrator may write it.
type Policy struct {
	// the most that may leave a machine: metadata, redacted or full; "": full
	MinLevel string `json:"min_level"`
	// globs over the URI, the path or the name of projects that do not leave a machine
	Deny           []string `json:"deny"`
	CheckpointDays int      `json:"checkpoint_days"` // how often a push sends every unit again; 0: defaultCheckpoint
	// how long after its last sign of life a conversation stays in the store, and a row that is of a time; 0: for ever
	RetentionDays int `json:"retention_days"`
	// variable with the key for pseudonyms of projects; "": projects are left out at level metadata
	HMACKeyEnv string `json:"hmac_key_env"`
}

// policyKey is the key of a store's policy.
var policyKey = path.Join(Root, "policy.json")

// defaultCheckpoint is how long after a checkpoint a push makes another one.
const defaultCheckpoint = 30 * 24 * time.Hour

// maxSinceCheckpoint is after how many commits a push makes a checkpoint.
const maxSinceCheckpoint = 60

// ReadPolicy reads the policy of a store. Without one everything is allowed. One that cannot be understood allows
// nothing: it is an error.
func ReadPolicy(ctx context.Context, store objects.Store) (p Policy, err error) {
	text, err := store.Get(ctx, policyKey)
	if errors.Is(err, objects.ErrMissing) {
		return p, nil
	}
	if errors.Is(err, objects.ErrRefused) {
		return p, fmt.Errorf("read the policy: %w; or, if the store has none, have its administrator put one there "+
			"that demands nothing: an object %s with the text {}", err, policyKey)
	}
	if err != nil {
		return p, fmt.Errorf("read the policy: %w", err)
	}
	if err := p.read(text); err != nil {
		return p, fmt.Errorf("the store's %s is not understood (%w): nothing is pushed until its administrator has "+
			"mended it",
			policyKey, err)
	}
	if p.MinLevel != "" && !slices.Contains(Levels, p.MinLevel) {
		return p, fmt.Errorf("the store's %s has min_level %q; there are %s: nothing is pushed until its "+
			"administrator has mended it", policyKey, p.MinLevel, strings.Join(Levels, ", "))
	}
	if p.CheckpointDays < 0 || p.RetentionDays < 0 {
		return p, fmt.Errorf("the store's %s has checkpoint_days %d and retention_days %d: nothing is pushed until "+
			"its administrator has mended it", policyKey, p.CheckpointDays, p.RetentionDays)
	}
	return p, nil
}

// read reads one JSON object, in which no field is there twice and none is null: what a reader might pass over is not
// understood.
func (p *Policy) read(text []byte) error {
	if !json.Valid(text) {
		return errors.New("it is not one JSON value")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return errors.New("it is no JSON object")
	}
	for seen := map[string]bool{}; d.More(); {
		var value json.RawMessage
		token, err := d.Token()
		if err = errors.Join(err, d.Decode(&value)); err != nil {
			return err
		}
		field := strings.ToLower(fmt.Sprint(token)) // as the decoder takes it
		if seen[field] || string(value) == "null" {
			return fmt.Errorf("its field %q is there twice, or null", token)
		}
		seen[field] = true
	}
	d = json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(p)
}

// LevelError says that a push would tell more than the policy allows.
type LevelError struct{ Asked, Allowed string }

func (e *LevelError) Error() string {
	return fmt.Sprintf("the store's policy allows at most level %s, not %s: use --level %s, or a stricter one",
		e.Allowed, e.Asked, e.Allowed)
}

// Level is the level of a push that asks for one; "" asks for the default, redacted, or what is stricter. A level that
// was asked for and tells more than the policy allows is a LevelError.
func (p Policy) Level(asked string) (string, error) {
	allowed := p.MinLevel
	if allowed == "" {
		allowed = Full
	}
	level := asked
	if level == "" {
		level = Redacted
	}
	if slices.Index(Levels, level) <= slices.Index(Levels, allowed) {
		return level, nil
	}
	if asked == "" {
		return allowed, nil
	}
	return "", &LevelError{asked, allowed}
}

// checkpointDue reports whether a push sends every unit: nothing older is read then.
func (p *pusher) checkpointDue(h head) bool {
	every := p.o.CheckpointEvery
	if every == 0 {
		every = defaultCheckpoint
	}
	return h.sinceCheckpoint >= maxSinceCheckpoint || h.checkpointAt.Valid && p.o.Now.Sub(h.checkpointAt.Time) >= every
}
