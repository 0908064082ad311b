package schema

// RawRow is a row of the raw layer: one version of a row of a store, as it is stored, or the mark that the version
// before it is gone. It is no table of the warehouse but the schema of the Parquet files beside it.
type RawRow struct {
	SourceID       string  `col:"source_id,id" doc:"Source of the row."`
	Store          string  `col:"store,key,word" doc:"global, workspace/<workspace_id>, or git/<repository_id>."`
	Table          string  `col:"table,key" doc:"cursorDiskKV, ItemTable, composerHeaders (a row as a JSON object of its columns); file for a workspace.json, git for a commit and for a repository's folder."`
	Family         string  `col:"family,word" doc:"Key pattern."`
	ConversationID string  `col:"conversation_id,key,id" doc:"Conversation that the row belongs to: its key names it, or it is a node of the conversation's graph; '' or a name in parentheses for rows of none."`
	Key            string  `col:"key,key" doc:"Key of the row; bytes that are not UTF-8 are written \\xNN."`
	KeyType        string  `col:"key_type,key" doc:"text, blob or null."`
	KeyBytes       Blob    `col:"key_bytes" doc:"The key's bytes, where the column key cannot hold them."`
	RowID          int64   `col:"rowid" doc:"The row's rowid when it was read; 0 where its table has none."`
	Value          Blob    `col:"value" doc:"The value as stored, key material masked; NULL where it is NULL or over 64 MiB."`
	ValueType      string  `col:"value_type" doc:"SQLite type: text, blob, integer, real, null. gone: the version before is deleted; with a hash: the earlier version with that hash is back. unreadable: a file that could not be read."`
	ValueBytes     int64   `col:"value_bytes" doc:"Size of the value."`
	Hash           *string `col:"hash,key" doc:"32 hex digits over type and value; NULL for a row that is gone."`
	LoadID         int64   `col:"load_id" doc:"Load that saw it."`
	ObservedAt     Millis  `col:"observed_at" doc:"Start of that load."`
}

// Owner is the owner of the row.
func (r *RawRow) Owner() OwnerKey { return OwnerNamed(r.SourceID, r.Store, r.ConversationID) }

// RawGone is the value_type of a mark that a version is gone. No store has it.
const RawGone = "gone"

// KnownRow is a row of the raw layer without its value: by these a load sees which versions are new.
type KnownRow struct {
	SourceID       string  `col:"source_id,key,id" doc:"Source of the row."`
	Store          string  `col:"store,key,word" doc:"Store of the row."`
	Table          string  `col:"table_name,key" doc:"Table of the row."`
	ConversationID string  `col:"conversation_id,key,id" doc:"Conversation that the row belongs to: its key names it, or it is a node of the conversation's graph; '' or a name in parentheses for rows of none."`
	Key            string  `col:"key,key,distinct" doc:"Key of the row."`
	KeyType        string  `col:"key_type,key" doc:"text, blob or null."`
	KeyBytes       Blob    `col:"key_bytes" doc:"The key's bytes, where the column key cannot hold them."`
	RowID          int64   `col:"row_id,signed" doc:"Its rowid when it was last read."`
	ValueBytes     int64   `col:"value_bytes" doc:"Size of the value."`
	Hash           *string `col:"hash,key,empty,distinct" doc:"Hash of the version; NULL: the row is gone."`
	IsMark         bool    `col:"is_mark" doc:"It has no value: the row is gone, or this earlier version is back."`
	Seq            int64   `col:"seq,key,signed" doc:"Number of the file that the load wrote: a larger number holds later versions. See _raw_parts."`
	RawFile        string  `col:"raw_file" doc:"File that holds it, as in raw_files."`
}

// RawPart is the rows that one load wrote into the raw layer. A file that a load writes has one part; a file that
// 'pipeline prune' merges from several has all of theirs.
type RawPart struct {
	RawFile  string `col:"raw_file,key" doc:"File that holds it, as in raw_files."`
	Seq      int64  `col:"seq,key" doc:"Number of the file that the load wrote: a larger number holds later versions."`
	LoadID   int64  `col:"load_id" doc:"Load that wrote it."`
	FirstRow int64  `col:"first_row" doc:"Number of its first row in the file, from 0."`
	Rows     int64  `col:"rows" doc:"Number of its rows."`
}
