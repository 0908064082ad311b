package transform

import (
	"bytes"
	"encoding/json"

	"pipeline/extract"
	"pipeline/transform/jsondoc"
)

// This file makes fingerprints of the facts about a conversation in shared rows.

// headFields are the members of a head from which a conversation's row is filled. A fingerprint covers only these, so
// that an unread mark, for example, does not count as a change.
var headFields = []string{
	"name", "subtitle", "createdAt", "lastUpdatedAt", "lastSendTime", "conversationCheckpointLastUpdatedAt",
	"unifiedMode", "unified_mode", "forceMode", "status", "modelConfig", "isAgentic", "isArchived", "isDraft",
	"subagentInfo", "totalLinesAdded", "totalLinesRemoved", "filesChangedCount", "contextTokensUsed",
	"contextTokenLimit", "promptTokenBreakdown", "createdOnBranch", "activeBranch", "branches", "committedToBranch",
	"isBestOfNSubcomposer", "isBestOfNParent", "isWorktree", "agentLocation", "gitWorktree", "agentBackend",
	"workspaceIdentifier", "workspaceId", "isSubagent", "_v", "text", "richText", "latestConversationSummary",
	"usageData",
}

// NamedWorkspace returns the workspace in a loaded conversation's own document that may give its project, "" if it
// names none.
func (s *Shared) NamedWorkspace(conv *extract.Conversation) string {
	if conv.Head == nil || !bytes.Contains(conv.Head.Value, []byte("workspaceIdentifier")) &&
		!bytes.Contains(conv.Head.Value, []byte("agentLocation")) {
		return ""
	}
	head, err := jsondoc.ParseObject(conv.Head.Value)
	if err != nil {
		return ""
	}
	identifier := head.Get("workspaceIdentifier").Unquoted().Object()
	if _, ok := s.byIdentifier(identifier, ""); !ok {
		location := head.Get("agentLocation").Unquoted().Object()
		if id := location.Get("environment").Unquoted().Object().Get("id").Text(); id != "" {
			return id
		}
	}
	return identifier.Get("id").Text()
}

// WorkspaceFingerprint is a hash over the project that a workspace's workspace.json names.
func (s *Shared) WorkspaceFingerprint(id string) string {
	w := s.workspaces[id]
	if w.ProjectURI == nil {
		return deref(w.Kind)
	}
	return hash128([]byte(*w.ProjectURI))
}

// Fingerprint is a hash over the facts that the conversation's rows use.
func (s *Shared) Fingerprint(id string) string {
	f := s.facts[id]
	if f == nil {
		return ""
	}
	var parts [][]byte
	add := func(what string, b []byte) { parts = append(parts, []byte(what), []byte{0}, b, []byte{0}) }
	for i, head := range []jsondoc.Value{f.tableValue, f.tableColumns, f.itemHead, f.listHead} {
		for _, name := range headFields {
			if v := head.Get(name); v.Exists() {
				add(string(rune('0'+i))+name, v.Raw())
			}
		}
	}
	if p, err := json.Marshal(s.project(f, jsondoc.Value{})); err == nil {
		add("project", p)
	}
	for repository := range (heads{f.tableValue, f.itemHead, f.listHead}).get("trackedGitRepos").Unquoted().Elements {
		add("repository", repository.Unquoted().Get("repoPath").Raw())
	}
	if p, err := json.Marshal(s.laterProject(f, jsondoc.Value{})); err == nil {
		add("later project", p)
	}
	if name := f.tableColumns.Get("subagentTypeName"); name.Exists() {
		add("subagentTypeName", name.Raw())
	}
	for _, path := range f.plans {
		add("plan", []byte(path))
	}
	for _, c := range f.copies {
		add(c.workspace, c.text.unpack())
		add("", []byte(s.WorkspaceFingerprint(c.workspace))) // its project is its workspace's project
	}
	return hash128(parts...)
}
