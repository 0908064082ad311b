package transform

import (
	"strconv"
	"strings"

	"pipeline/sql/schema"
)

// This file reads the rows in which Cursor attributes lines and commits, and sums up conversations (docs/formats.md,
// The tracking database).

// scoredCommit reads Cursor's figures of who wrote a commit's lines.
func (a *assembly) scoredCommit(o value) {
	hash := o.get("commitHash").str()
	if hash == nil {
		return
	}
	c := schema.ScoredCommit{SourceID: a.n.SourceID, CommitHash: *hash, Branch: o.get("branchName").text(),
		ReadAs: a.conv.ID, ScoredAt: o.get("scoredAt").time(), CommittedAt: o.get("commitDate").time(),
		Message: o.get("commitMessage").str(), AIPercentV1: percent(o.get("v1AiPercentage")),
		AIPercentV2: percent(o.get("v2AiPercentage"))}
	for name, pair := range map[string][2]**int64{
		"lines": {&c.LinesAdded, &c.LinesRemoved}, "tabLines": {&c.TabLinesAdded, &c.TabLinesRemoved},
		"composerLines": {&c.ComposerLinesAdded, &c.ComposerLinesRemoved},
		"humanLines":    {&c.HumanLinesAdded, &c.HumanLinesRemoved},
		"blankLines":    {&c.BlankLinesAdded, &c.BlankLinesRemoved},
	} {
		*pair[0], *pair[1] = o.get(name+"Added").count(), o.get(name+"Deleted").count()
	}
	a.rows.ScoredCommits = append(a.rows.ScoredCommits, c)
}

// codeHash reads the row of a piece of code that Cursor wrote.
func (a *assembly) codeHash(o value) {
	hash := o.get("hash").str()
	if hash == nil {
		return
	}
	a.rows.CodeHashes = append(a.rows.CodeHashes,
		schema.CodeHash{SourceID: a.n.SourceID, CodeHash: *hash, ReadAs: a.conv.ID, Origin: o.get("source").str(),
			FileName: o.get("fileName").str(), FileExtension: o.get("fileExtension").str(),
			ConversationID: o.get("conversationId").str(), RequestID: o.get("requestId").str(),
			Model:     modelName(o.get("model")),
			WrittenAt: firstTime(o.get("timestamp").time(), o.get("createdAt").time())})
}

// summary reads Cursor's summary of a conversation.
func (a *assembly) summary(o value) {
	id := o.get("conversationId").str()
	if id == nil {
		return
	}
	a.rows.Notes = append(a.rows.Notes, schema.ConversationNote{SourceID: a.n.SourceID, ConversationID: *id,
		ReadAs: a.conv.ID, Title: o.get("title").str(), TLDR: o.get("tldr").str(), Overview: o.get("overview").str(),
		Bullets: o.get("summaryBullets").json(), Model: modelName(o.get("model")), Mode: mode(o.get("mode")),
		UpdatedAt: o.get("updatedAt").time()})
}

// percent reads a share from a number or a text, with or without the percent sign.
func percent(v value) *float64 {
	n, ok := v.number()
	if !ok {
		var err error
		if n, err = strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(v.text()), "%"), 64); err != nil {
			return nil
		}
	}
	if !(n >= 0 && n <= 100) {
		return nil
	}
	return &n
}
