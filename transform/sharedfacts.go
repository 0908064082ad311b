package transform

import (
	"bytes"
	"encoding/json"

	"pipeline/extract"
)

// This file stands for what shared rows say of a conversation by fingerprints.

// headFields are the members of a head that a conversation's row may come from: what a fingerprint of the facts is made of.
// An unread mark, say, is not among them.
var headFields = []string{
	"name", "subtitle", "createdAt", "lastUpdatedAt", "lastSendTime", "conversationCheckpointLastUpdatedAt", "unifiedMode", "unified_mode",
	"forceMode", "status", "modelConfig", "isAgentic", "isArchived", "isDraft", "subagentInfo", "totalLinesAdded", "totalLinesRemoved",
	"filesChangedCount", "contextTokensUsed", "contextTokenLimit", "promptTokenBreakdown", "createdOnBranch", "activeBranch",
	"branches", "workspaceIdentifier", "workspaceId", "isSubagent", "_v", "text", "richText", "latestConversationSummary", "usageData",
}

// NamedWorkspace is the workspace that a loaded conversation's own document names, "" for none.
func NamedWorkspace(conv *extract.Conversation) string {
	if conv.Head == nil || !bytes.Contains(conv.Head.Value, []byte("workspaceIdentifier")) {
		return ""
	}
	head, err := parseObject(conv.Head.Value)
	if err != nil {
		return ""
	}
	return head.get("workspaceIdentifier").unquoted().get("id").text()
}

// WorkspaceFingerprint is a hash over what a workspace's workspace.json says of its project.
func (s *Shared) WorkspaceFingerprint(id string) string {
	w, ok := s.workspaces[id]
	if !ok || w.ProjectURI == nil {
		return ""
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
	for i, head := range []object{f.tableValue, f.tableColumns, f.itemHead, f.listHead} {
		for _, name := range headFields {
			if v := head.get(name); v != nil {
				add(string(rune('0'+i))+name, v)
			}
		}
	}
	if p, err := json.Marshal(s.project(f, nil)); err == nil {
		add("project", p)
	}
	for _, c := range f.copies {
		add(c.workspace, c.raw)
		add("", []byte(s.WorkspaceFingerprint(c.workspace))) // its project is that of its workspace
	}
	return hash128(parts...)
}
