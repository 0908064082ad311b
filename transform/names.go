package transform

// frequentNames are member names met in almost every bubble (atlas 1.5): a bubble has 60 to 80 of them, most of them empty.
var frequentNames = func() map[string]string {
	names := map[string]string{}
	for _, n := range []string{
		"_v", "type", "bubbleId", "serverBubbleId", "text", "richText", "createdAt", "timingInfo", "modelInfo", "requestId",
		"usageUuid", "isRefunded", "unifiedMode", "isAgentic", "tokenCount", "inputTokens", "outputTokens", "tokenCountUpUntilHere",
		"tokenDetailsUpUntilHere", "contextWindowStatusAtCreation", "thinking", "signature", "allThinkingBlocks",
		"thinkingDurationMs", "thinkingStyle", "isThought", "capabilityType", "capabilitiesRan", "capabilityStatuses", "codeBlocks",
		"suggestedCodeBlocks", "userResponsesToSuggestedCodeBlocks", "assistantSuggestedDiffs", "diffHistories",
		"fileDiffTrajectories", "diffsSinceLastApply", "humanChanges", "deletedFiles", "gitDiffs", "commits", "pullRequests",
		"attachedCodeChunks", "attachedFileCodeChunksUris", "attachedFileCodeChunksMetadataOnly", "attachedFolders",
		"attachedFoldersNew", "attachedFoldersListDirResults", "codebaseContextChunks", "relevantFiles", "recentlyViewedFiles",
		"recentLocationsHistory", "lints", "approximateLintErrors", "multiFileLinterErrors", "images", "webReferences",
		"docsReferences", "aiWebSearchResults", "externalLinks", "consoleLogs", "uiElementPicked", "cursorRules",
		"knowledgeItems", "notepads", "contextPieces", "supportedTools", "mcpDescriptors", "toolResults", "todos",
		"checkpointId", "afterCheckpointId", "workspaceUris", "workspaceProjectDir", "currentFileLocationData", "errorDetails",
		"existedSubsequentTerminalCommand", "existedPreviousTerminalCommand", "isQuickSearchQuery", "useWeb",
		"cachedConversationSummary", "conversationSummary", "context", "toolFormerData", "interpreterResults",
		"editTrailContexts", "documentationSelections", "projectLayouts", "summarizedComposers", "symbolLinks", "fileLinks",
		"name", "tool", "toolCallId", "toolIndex", "modelCallId", "status", "rawArgs", "params", "result", "error",
		"userDecision", "additionalData", "fileSelections", "folderSelections", "selections", "terminalSelections",
		"selectedDocs", "selectedCommits", "selectedPullRequests", "selectedImages", "quotes", "mentions", "composers",
	} {
		names[n] = n
	}
	return names
}()
