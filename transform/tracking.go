package transform

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file reads the rows in which Cursor attributes lines and commits, and sums up conversations (docs/formats.md,
// The tracking database).

// scoredCommit reads Cursor's figures of who wrote a commit's lines.
func (a *assembly) scoredCommit(o jsondoc.Value) {
	hash := o.Get("commitHash").Str()
	if hash == nil {
		return
	}
	c := schema.ScoredCommit{SourceID: a.n.SourceID, CommitHash: *hash, Branch: o.Get("branchName").Text(),
		ReadAs: a.owner, ScoredAt: timeOf(o.Get("scoredAt")), CommittedAt: commitTime(o.Get("commitDate")),
		Message: o.Get("commitMessage").Str(), AIPercentV1: percent(o.Get("v1AiPercentage")),
		AIPercentV2: percent(o.Get("v2AiPercentage"))}
	for name, pair := range map[string][2]**int64{
		"lines": {&c.LinesAdded, &c.LinesRemoved}, "tabLines": {&c.TabLinesAdded, &c.TabLinesRemoved},
		"composerLines": {&c.ComposerLinesAdded, &c.ComposerLinesRemoved},
		"humanLines":    {&c.HumanLinesAdded, &c.HumanLinesRemoved},
		"blankLines":    {&c.BlankLinesAdded, &c.BlankLinesRemoved},
	} {
		*pair[0], *pair[1] = o.Get(name+"Added").Count(), o.Get(name+"Deleted").Count()
	}
	a.rows.ScoredCommits = append(a.rows.ScoredCommits, c)
}

// commitTime reads the date of a commit, which Cursor writes down as git prints it.
func commitTime(v jsondoc.Value) *schema.Millis {
	if t, err := time.Parse("Mon Jan 2 15:04:05 2006 -0700", strings.TrimSpace(v.Text())); err == nil {
		return jsondoc.Plausible(t.UnixMilli())
	}
	return timeOf(v)
}

// codeHash reads the row of a piece of code that Cursor wrote.
func (a *assembly) codeHash(o jsondoc.Value) {
	hash := o.Get("hash").Str()
	if hash == nil {
		return
	}
	a.rows.CodeHashes = append(a.rows.CodeHashes,
		schema.CodeHash{SourceID: a.n.SourceID, CodeHash: *hash, ReadAs: a.owner, Origin: o.Get("source").Str(),
			FileName: o.Get("fileName").Str(), FileExtension: o.Get("fileExtension").Str(),
			ConversationID: o.Get("conversationId").Str(), RequestID: o.Get("requestId").Str(),
			Model:     modelName(o.Get("model")),
			WrittenAt: cmp.Or(timeOf(o.Get("timestamp")), timeOf(o.Get("createdAt")))})
}

// summary reads Cursor's summary of a conversation.
func (a *assembly) summary(o jsondoc.Value) {
	id := o.Get("conversationId").Str()
	if id == nil {
		return
	}
	a.rows.Notes = append(a.rows.Notes, schema.ConversationNote{SourceID: a.n.SourceID, ConversationID: *id,
		ReadAs: a.owner, Title: o.Get("title").Str(), TLDR: o.Get("tldr").Str(), Overview: o.Get("overview").Str(),
		Bullets: o.Get("summaryBullets").JSON(), Model: modelName(o.Get("model")), Mode: mode(o.Get("mode")),
		UpdatedAt: timeOf(o.Get("updatedAt"))})
}

// percent reads a share from a number or a text, with or without the percent sign.
func percent(v jsondoc.Value) *float64 {
	n, ok := v.Number()
	if !ok {
		var err error
		if n, err = strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(v.Text()), "%"), 64); err != nil {
			return nil
		}
	}
	if !(n >= 0 && n <= 100) {
		return nil
	}
	return &n
}
