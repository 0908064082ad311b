package pipelines

import (
	"context"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// Hold lets a run hold only so many bytes of a conversation, although --memory has room for more.
func (o *Options) Hold(bytes int64) { o.held = bytes }

// Meet lets a test change each conversation before it is read.
func (o *Options) Meet(f func(*extract.Conversation)) { o.meet = f }

// WorkWithoutNormalizer is what a worker returns that fails while it makes the rows of a conversation.
func WorkWithoutNormalizer(ctx context.Context, id string) error {
	j := &job{conv: &extract.Conversation{ID: id},
		known: schema.Owner{SourceID: "s", Store: extract.GlobalStore, Kind: schema.KindConversation, ID: id},
		rows:  make(chan batch, 1)}
	err := normalize(ctx, nil, j)
	<-j.rows // it is closed: nobody waits for more
	return err
}

// Fold is the rule for rows that cannot be used as they are.
var Fold = fold
