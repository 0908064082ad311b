package pipelines

import "pipeline/extract"

// Hold lets a run hold only so many bytes of a conversation, although --memory has room for more.
func (o *Options) Hold(bytes int64) { o.held = bytes }

// Meet lets a test change each conversation before it is read.
func (o *Options) Meet(f func(*extract.Conversation)) { o.meet = f }
