-- The history that all parts of the report are asked of, unless a folder has its own. 10 March 2025 is a Monday.
-- web, source s1, conversation w: four prompts. The first gets an edit by a tool (accepted, with a commit of that file after it), the second two
-- other calls, the third an error alone, the fourth an edit in the text of the reply. From 18:30 on it is the 11th in Kathmandu. sub is its subagent.
-- web, source s2, the same id: three prompts, an edit each: rejected; undecided, with a commit of another file after it; undecided, after that commit.
-- api: a has no real time, two models were paid for; draft is an empty draft; late has no message. n has no project and no time at all.
-- What is orphaned or deleted counts nowhere but in report.tables.
INSERT INTO sources (source_id, app) VALUES ('s1', 'Cursor'), ('s2', 'Cursor'), ('git', 'git');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, project_path, model, is_draft, created_at, context_tokens_used, context_token_limit, status, deleted_at) VALUES
    ('s1', 'w', 'Parser', 'file:///p/web', 'web', '/p/web', 'auto', false, '2025-03-10 09:00:00+00', 50000, 200000, 'completed', NULL),
    ('s1', 'sub', NULL, 'file:///p/web', 'web', '/p/web', NULL, NULL, '2025-03-10 09:01:00+00', NULL, NULL, NULL, NULL),
    ('s1', 'gone', 'Old', 'file:///p/web', 'web', '/p/web', 'auto', false, '2025-03-10 08:00:00+00', 9, 10, 'completed', '2025-06-01 00:00:00+00'),
    ('s1', 'orphan', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'orphaned', NULL),
    ('s1', 'a', 'Api', 'file:///p/api', 'api', '/p/api', NULL, NULL, '2025-03-10 09:30:00+00', NULL, NULL, NULL, NULL),
    ('s1', 'draft', NULL, 'file:///p/api', 'api', '/p/api', NULL, true, '2025-03-10 12:00:00+00', 10, 0, NULL, NULL),
    ('s1', 'late', 'Later', 'file:///p/api', 'api', '/p/api', NULL, false, '2025-03-11 12:00:00+00', NULL, NULL, NULL, NULL),
    ('s1', 'n', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('s2', 'w', 'Parser again', 'file:///p/web', 'web', '/p/web', 'sonnet', false, '2025-03-11 10:00:00+00', NULL, 200000, 'completed', NULL);
INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('s1', 'sub', 'w', 2, 'w');
INSERT INTO messages (source_id, conversation_id, message_id, position, turn, role, kind, model, input_tokens, output_tokens, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'w', 'u1', 0, 1, 'user', 'text', NULL, NULL, NULL, '2025-03-10 09:00:00+00', 'message', NULL),
    ('s1', 'w', 'm1', 1, 1, 'assistant', 'tool_call', 'gpt-5', 100, 10, '2025-03-10 09:01:00+00', 'header', NULL),
    ('s1', 'w', 'm2', 2, 1, 'assistant', 'text', 'gpt-5', NULL, NULL, '2025-03-10 09:01:00+00', 'previous', NULL),
    ('s1', 'w', 'u2', 3, 2, 'user', 'text', NULL, 7, NULL, '2025-03-10 18:30:00+00', 'message', NULL),
    ('s1', 'w', 'm3', 4, 2, 'assistant', 'tool_call', NULL, NULL, NULL, '2025-03-10 18:31:00+00', 'timing', NULL),
    ('s1', 'w', 'u3', 5, 3, 'user', 'text', NULL, NULL, NULL, '2025-03-10 18:35:00+00', 'message', NULL),
    ('s1', 'w', 'm4', 6, 3, 'assistant', 'error', NULL, NULL, NULL, '2025-03-10 18:36:00+00', 'header', NULL),
    ('s1', 'w', 'u4', 7, 4, 'user', 'text', NULL, NULL, NULL, '2025-03-10 18:40:00+00', 'message', NULL),
    ('s1', 'w', 'm5', 8, 4, 'assistant', 'text', NULL, NULL, NULL, '2025-03-10 18:41:00+00', 'header', NULL),
    ('s1', 'w', 'x', NULL, NULL, 'assistant', 'tool_call', 'old', 5, 5, '2025-03-10 19:00:00+00', 'header', '2025-06-01 00:00:00+00'),
    ('s1', 'sub', 'u1', 0, 1, 'user', 'text', NULL, NULL, NULL, '2025-03-10 09:01:30+00', 'message', NULL),
    ('s1', 'sub', 'm1', 1, 1, 'assistant', 'tool_call', 'gpt-5', NULL, NULL, '2025-03-10 09:02:30+00', 'header', NULL),
    ('s1', 'gone', 'u1', NULL, NULL, 'user', 'text', NULL, NULL, NULL, '2025-03-10 08:00:00+00', 'message', '2025-06-01 00:00:00+00'),
    ('s1', 'orphan', 'm1', 0, 0, 'assistant', 'tool_call', 'gpt-5', NULL, NULL, '2025-03-10 10:00:00+00', 'message', NULL),
    ('s1', 'a', 'u1', 0, 1, 'user', 'text', NULL, NULL, NULL, '2025-03-10 09:30:00+00', 'conversation', NULL),
    ('s1', 'a', 'm1', 1, 1, 'assistant', 'tool_call', 'o3', NULL, NULL, '2025-03-10 09:30:00+00', 'conversation', NULL),
    ('s1', 'n', 'u1', 0, 1, 'user', 'text', NULL, NULL, NULL, NULL, NULL, NULL),
    ('s1', 'n', 'm1', 1, 1, 'assistant', 'tool_call', NULL, NULL, NULL, NULL, NULL, NULL),
    ('s2', 'w', 'u1', 0, 1, 'user', 'text', NULL, NULL, NULL, '2025-03-11 10:00:00+00', 'message', NULL),
    ('s2', 'w', 'm1', 1, 1, 'assistant', 'tool_call', 'sonnet', NULL, NULL, '2025-03-11 10:05:00+00', 'header', NULL),
    ('s2', 'w', 'u2', 2, 2, 'user', 'text', NULL, NULL, NULL, '2025-03-11 10:10:00+00', 'message', NULL),
    ('s2', 'w', 'm2', 3, 2, 'assistant', 'tool_call', NULL, NULL, NULL, '2025-03-11 10:11:00+00', 'header', NULL),
    ('s2', 'w', 'u3', 4, 3, 'user', 'text', NULL, NULL, NULL, '2025-03-11 10:30:00+00', 'message', NULL),
    ('s2', 'w', 'm3', 5, 3, 'assistant', 'tool_call', 'sonnet', NULL, NULL, '2025-03-11 10:31:00+00', 'header', NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, is_error, duration_ms, file_path, user_decision, lines_added, lines_removed, deleted_at) VALUES
    ('s1', 'w', 'm1', 0, 1, 'edit_file', 'edit', false, NULL, '/p/web/a.go', 'accepted', 3, 1, NULL),
    ('s1', 'w', 'm3', 0, 4, 'read_file', 'read', true, 40, '/p/web/a.go', NULL, NULL, NULL, NULL),
    ('s1', 'w', 'm3', 1, 4, 'grep', 'search', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('s1', 'w', 'x', 0, NULL, 'read_file', 'read', true, 40, '/p/web/a.go', NULL, NULL, NULL, '2025-06-01 00:00:00+00'),
    ('s1', 'sub', 'm1', 0, 1, 'read_file', 'read', false, 60, NULL, NULL, NULL, NULL, NULL),
    ('s1', 'orphan', 'm1', 0, 0, 'read_file', 'read', true, 40, NULL, NULL, NULL, NULL, NULL),
    ('s1', 'a', 'm1', 0, 1, 'edit_file', 'edit', false, NULL, 'main.go', NULL, NULL, NULL, NULL),
    ('s1', 'n', 'm1', 0, 1, NULL, 'mcp', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('s2', 'w', 'm1', 0, 1, 'edit_file', 'edit', false, NULL, '/p/web/b.go', 'rejected', 2, 2, NULL),
    ('s2', 'w', 'm2', 0, 3, 'edit_file', 'edit', false, NULL, '/p/web/b.go', NULL, NULL, NULL, NULL),
    ('s2', 'w', 'm3', 0, 5, 'edit_file', 'edit', false, NULL, '/p/web/b.go', NULL, 1, NULL, NULL);
INSERT INTO code_edits (source_id, edit_id, conversation_id, message_id, path, created_at, deleted_at) VALUES
    ('s1', 'e1', 'w', 'm5', '/p/web/c.ts', '2025-03-10 18:41:00+00', NULL),
    ('s1', 'e2', 'gone', 'm1', '/p/web/d.ts', '2025-03-10 08:01:00+00', NULL);
INSERT INTO attachments (source_id, conversation_id, message_id, ordinal) VALUES ('s1', 'w', 'u1', 0), ('s1', 'gone', NULL, 0), ('s1', 'orphan', 'm1', 0);
INSERT INTO model_usage (source_id, conversation_id, model, cost_cents, requests, deleted_at) VALUES
    ('s1', 'a', 'o3', 12.5, 3, NULL), ('s1', 'a', 'auto', 2.5, 1, NULL), ('s1', 'a', 'old', 100, 1, '2025-06-01 00:00:00+00'), ('s1', 'w', 'auto', NULL, 2, NULL);
INSERT INTO repositories (repository_id, project_uri, project_path, repository_path) VALUES ('r', 'file:///p/web', '/p/web', '/p/web');
INSERT INTO commits (repository_id, commit_hash, authored_at, files_changed, deleted_at) VALUES
    ('r', 'h1', '2025-03-10 09:10:00+00', 1, NULL), ('r', 'h2', '2025-03-11 10:20:00+00', 1, NULL), ('r', 'h3', '2025-03-11 10:40:00+00', 1, '2025-06-01 00:00:00+00');
INSERT INTO commit_files (repository_id, commit_hash, path) VALUES ('r', 'h1', 'a.go'), ('r', 'h2', 'z.go');
INSERT INTO quarantine (source_id, store, key, value_hash, load_id, family, reason, value_type, value_bytes, resolved_load_id) VALUES
    ('s1', 'global', 'bubbleId:w:1', 'h1', 1, 'bubbleId', 'bad_json', 'text', 3, NULL),
    ('s1', 'global', 'bubbleId:w:2', 'h2', 1, 'bubbleId', 'bad_json', 'text', 3, 2),
    ('s2', 'global', 'bubbleId:w:1', 'h1', 2, 'bubbleId', 'bad_json', 'text', 3, NULL),
    ('s2', 'global', 'composerData:w', 'h3', 2, 'composerData', 'empty', 'text', 0, 2);
INSERT INTO loads (load_id, started_at, finished_at, status, mode, tool_version, schema_version, conversations_new, conversations_changed, conversations_deleted, conversations_unchanged, messages_loaded, quarantined) VALUES
    (1, '2025-05-01 00:00:00+00', '2025-05-01 00:00:02+00', 'ok', 'first', 'v', 1, 7, 0, 0, 0, 20, 2),
    (2, '2025-05-02 00:00:00+00', '2025-05-02 00:00:01+00', 'partial', 'incremental', 'v', 1, 1, 1, 0, 6, 4, 2),
    (3, '2025-06-01 00:00:00+00', '2025-06-01 00:00:01+00', 'check_failed', 'incremental', 'v', 1, 0, 0, 1, 7, 0, 0);
INSERT INTO load_stores (load_id, source_id, store, path, rows_seen, rows_read, rows_changed, is_complete) VALUES
    (1, 's1', 'global', '/g', 9, 9, 9, true), (1, 's1', 'workspace/x', '/x', 0, 0, 0, false),
    (2, 's2', 'global', '/h', 5, 5, 5, true), (2, 's2', 'workspace/v', '/v', 1, 1, 1, true),
    (3, 's1', 'global', '/g', 9, 0, 0, true), (3, 's1', 'workspace/w', '/w', 0, 0, 0, false);
-- Empty conversations are no chats, whether they are drafts or not.
UPDATE conversations SET missing_message_count = 0, is_draft = NULL WHERE is_draft;
UPDATE conversations SET display_title = title;
