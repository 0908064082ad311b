package shape

import (
	"encoding/json"
	"strings"

	"pipeline/extract"
	"pipeline/transform"
)

// This file says which names may be said. A name that is not Cursor's may be a word of the user: a project, a file, a
// tool of a private server.

// oftenRows is in how many rows a name must be that no list has. Only names where Cursor gives the names count: of
// fields beside known ones, and at the beginning of keys.
const oftenRows = 20

var (
	knownTables = setOf(extract.KeyValueTable, extract.ItemTable, extract.HeaderTable, extract.FileTable, "blobs",
		"meta", "scored_commits", "ai_code_hashes", "conversation_summaries", "tracked_file_content",
		"conversation_file", "ai_deleted_files", "tracking_state")
	knownKinds = setOf("Cursor", "Cursor Nightly", "Cursor - Insiders", "cursor-server", extract.AppCLI,
		extract.AppTracking, extract.AppFile)
	knownSystems = setOf("linux", "darwin", "windows")
	// moreColumns are columns of known tables that no reader asks for.
	moreColumns = setOf("key", "value", "id", "data", "recency", "checkpointAt", "hash", "model", "branchName",
		"createdAt")
)

func setOf(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

func knownColumn(name string) bool { return moreColumns[name] || transform.KnowsField(name) }

// patternPrefix begins the names of families that no list has, so that none is taken for one of them.
const patternPrefix = "key "

func isPattern(family string) bool { return strings.HasPrefix(family, patternPrefix) }

// patternOf is the family of a key that no family matches: its pattern, if its first part is one name.
func patternOf(key string) string {
	pattern := extract.PatternOf(key)
	first, _, more := strings.Cut(pattern, ":")
	if pattern == extract.FamilyUnknown || !more || !transform.IsFieldName(first) {
		return extract.FamilyUnknown
	}
	parts := strings.Split(pattern, ":")
	for i := range parts[1:] {
		if part := parts[i+1]; !strings.HasPrefix(part, "<") {
			parts[i+1] = other
		}
	}
	return patternPrefix + strings.Join(parts, ":")
}

func textOf(v any) string {
	b, _ := json.Marshal(v) // of strings and numbers: there is no error
	return string(b)
}
