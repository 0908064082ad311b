package pipelines

// Hold lets a run hold only so many bytes of a conversation, although --memory has room for more.
func (o *Options) Hold(bytes int64) { o.held = bytes }
