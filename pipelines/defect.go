package pipelines

import (
	"context"
	"errors"
	"fmt"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// mostDefects is for how many conversations that make this program fail a run starts again. If there are more, their
// store is left out.
const mostDefects = 10

// defect is a failure of this program over what Cursor wrote. The run starts again, and leaves as it is what made the
// program fail.
type defect struct {
	key   schema.OwnerKey
	isOne bool // the key's conversation; else all of its store
	cause *extract.Defect
}

// Error names what is left as it is.
func (d *defect) Error() string {
	what := fmt.Sprintf("store %s of source %s", d.key.Store, d.key.SourceID)
	if d.isOne {
		what = fmt.Sprintf("conversation %s of %s", d.key.ID, what)
	}
	return fmt.Sprintf("%s: %v. It stays as it was loaded before. Please report this line.", what, d.cause)
}

// Unwrap returns the cause.
func (d *defect) Unwrap() error { return d.cause }

// caught turns a panic into an error that names the conversation, or only its store if the defect is not that of one
// conversation. Call it with defer.
func caught(key schema.OwnerKey, isOne bool, err *error) {
	if p := recover(); p != nil {
		*err = &defect{key, isOne, extract.NewDefect(p)}
	}
}

// Caught turns a panic of a command into an error. Call it with defer.
func Caught(err *error) {
	if p := recover(); p != nil {
		*err = extract.NewDefect(p)
	}
}

// guard takes a step over what Cursor wrote of a conversation.
func guard(key schema.OwnerKey, step func() error) (err error) {
	defer caught(key, true, &err)
	return step()
}

func isDefect(err error) bool {
	var d *defect
	return errors.As(err, &d)
}

// guarded considers a candidate. One that made the program fail in an earlier attempt stays as it is, and the raw layer
// gets what can be read of it.
func (b *block) guarded(ctx context.Context, c *candidate, all []schema.OwnerKey) error {
	why := b.r.left[c.Key]
	if why == nil {
		return guard(c.Key, func() error { return b.consider(ctx, c, all) })
	}
	b.r.leaveDefect(c.conv, why)
	err := guard(c.Key, func() error {
		if _, _, err := c.conv.Load(b.r.budget.Buffer); err != nil {
			return err
		}
		return b.keep(ctx, c, all, true)
	})
	if isDefect(err) {
		return nil
	}
	return err
}

// leaveDefect leaves a conversation as it is that made the program fail.
func (r *reading) leaveDefect(conv *extract.Conversation, why error) {
	r.result.errs = append(r.result.errs, why)
	r.dealtWith(conv)
}
