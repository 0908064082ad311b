-- A small warehouse in which every check passes; views and macros are asked of it, and checks are broken in it.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, project_source, mode, model, created_at, updated_at, status, deleted_at, is_draft) VALUES
    ('s1', 'c1', 'Fix the parser', 'file:///a/web', 'web', 'composer', 'agent', 'auto', '2025-03-10 09:00:00+00', '2025-03-10 09:10:00+00', 'completed', NULL, false),
    ('s1', 'c2', 'Straße', NULL, NULL, NULL, 'chat', NULL, '2025-03-11 09:00:00+00', NULL, NULL, NULL, false),
    ('s1', 'c3 empty', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'none', NULL, false),
    ('s1', 'orphan', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'orphaned', NULL, NULL),
    ('s1', 'deleted', 'Gone', NULL, NULL, NULL, NULL, NULL, '2025-03-12 09:00:00+00', NULL, 'completed', '2025-06-01 00:00:00+00', false),
    ('s2', 'c1', 'Fix the parser', 'file:///a/web', 'web', 'composer', 'agent', 'auto', '2025-03-10 08:00:00+00', NULL, 'completed', NULL, false),
    ('s2', 'sub', 'Look around', NULL, NULL, NULL, 'agent', NULL, NULL, NULL, NULL, NULL, false);
INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('s2', 'sub', 'c1', 2, 'c1');
INSERT INTO messages (source_id, conversation_id, message_id, position, turn, role, kind, text, thinking, error_code, error, model, input_tokens, output_tokens, thinking_duration_ms, created_at, created_at_source, is_listed, deleted_at) VALUES
    ('s1', 'c1', 'm0', 0, 1, 'user', 'text', 'Please fix 100% of it', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:00:00+00', 'message', true, NULL),
    ('s1', 'c1', 'm1', 1, 1, 'assistant', 'thinking', '  ', 'Let me see ÄÖÜ', NULL, NULL, 'gpt-5', NULL, NULL, 1500, '2025-03-10 09:00:10+00', 'header', true, NULL),
    ('s1', 'c1', 'm2', 2, 1, 'assistant', 'tool_call', NULL, NULL, NULL, NULL, 'gpt-5', NULL, NULL, NULL, '2025-03-10 09:00:20+00', 'header', true, NULL),
    ('s1', 'c1', 'm3', 3, 1, 'assistant', 'text', 'Done', NULL, NULL, NULL, 'gpt-5', 10, 20, NULL, '2025-03-10 09:00:20+00', 'previous', true, NULL),
    ('s1', 'c1', 'm4', 4, 1, 'unknown', 'empty', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, NULL),
    ('s1', 'c1', 'm5', 5, 1, 'assistant', 'error', NULL, NULL, 'E1', 'Too long', NULL, NULL, NULL, NULL, NULL, NULL, true, NULL),
    ('s1', 'c1', 'm6', 6, 2, 'user', 'text', 'Again_and again', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:05:00+00', 'message', true, NULL),
    ('s1', 'c1', 'm7', 7, 3, 'user', 'text', 'Now', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:06:00+00', 'message', false, NULL),
    ('s1', 'c1', 'm8 deleted', NULL, NULL, 'user', 'text', 'parser', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:07:00+00', 'message', true, '2025-06-01 00:00:00+00'),
    ('s1', 'c2', 'm0', 0, 1, 'user', 'text', 'Wo ist die STRASSE? ΣΊΣΥΦΟΣ', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-11 09:00:00+00', 'message', true, NULL),
    ('s1', 'orphan', 'm0', 0, 1, 'user', 'text', 'parser', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-10 10:00:00+00', 'message', false, NULL),
    ('s1', 'deleted', 'm0', NULL, NULL, 'user', 'text', 'parser', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-10 10:00:00+00', 'message', true, '2025-06-01 00:00:00+00'),
    ('s2', 'c1', 'm0', 0, 1, 'user', 'text', 'The same id elsewhere', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-10 08:00:00+00', 'message', true, NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool_number, tool, tool_kind, name, status, is_error, params, result, started_at, duration_ms, command, deleted_at) VALUES
    ('s1', 'c1', 'm2', 0, 2, 15, 'run_terminal_command', 'shell', 'run_terminal_cmd', 'completed', false, '{"command":"grep \"Töne\" a_b"}', '"line one\nline two"', '2025-03-10 09:00:20+00', 300, 'grep "Töne" a_b', NULL),
    ('s1', 'c1', 'm2', 1, 2, 40, 'read_file', 'read', 'read_file', 'loading', NULL, '{"targetFile":"/a/needle"}', NULL, NULL, NULL, NULL, NULL),
    ('s1', 'c1', 'm8 deleted', 0, NULL, 40, 'read_file', 'read', 'read_file', 'error', true, '{}', NULL, NULL, NULL, NULL, '2025-06-01 00:00:00+00'),
    ('s1', 'orphan', 'm0', 0, 0, 40, 'read_file', 'read', 'read_file', 'error', true, '{}', NULL, NULL, NULL, NULL, NULL);
UPDATE messages SET kind = 'tool_call' WHERE conversation_id = 'orphan';
INSERT INTO attachments (conversation_id, message_id, ordinal, kind) VALUES ('c1', 'm0', 0, 'file'), ('c1', 'm0', 1, 'rule'), ('c1', NULL, 0, 'todo');
INSERT INTO checkpoints (conversation_id, checkpoint_id, message_id, files) VALUES ('c1', 'k1', 'm0', '[]');
INSERT INTO code_edits (edit_id, conversation_id, is_accepted, deleted_at) VALUES ('e1', 'c1', true, NULL), ('e2', 'c1', NULL, NULL), ('e3', 'c1', false, '2025-06-01 00:00:00+00'), ('e4', 'deleted', true, NULL);
INSERT INTO _owners BY NAME SELECT source_id, 'global' AS store, 'conversation' AS kind, conversation_id AS id, '' AS workspace_id, '' AS rows_hash, '' AS sizes_hash, '' AS facts_hash, 'h' AS content_hash, false AS is_copied, false AS is_listed, false AS is_elsewhere, false AS is_emptied, false AS is_lost, false AS is_gone, false AS is_unsure, false AS uses_earlier, 1 AS transform_version, 1 AS load_id FROM conversations;
INSERT INTO loads (load_id, started_at, finished_at, status, mode, tool_version, schema_version, conversations_new, conversations_changed, conversations_deleted, conversations_unchanged, messages_loaded, quarantined) VALUES
    (1, '2025-06-01 00:00:00+00', '2025-06-01 00:00:01+00', 'ok', 'first', 'v', 1, 7, 0, 0, 0, 12, 0),
    (2, '2025-06-02 00:00:00+00', '2025-06-02 00:00:01+00', 'partial', 'incremental', 'v', 1, 0, 1, 0, 6, 2, 0);
INSERT INTO load_stores (load_id, source_id, store, path, bytes, rows_seen, rows_read, rows_changed, is_complete) VALUES
    (1, 's1', 'global', '/g', 100, 10, 10, 10, true), (1, 's2', 'global', '/h', 50, 5, 5, 5, true),
    (2, 's1', 'global', '/g', 110, 12, 4, 2, true), (2, 's1', 'workspace/w', '/w', NULL, 0, 0, 0, false);
-- Empty conversations are no chats, whether they are drafts or not.
UPDATE conversations SET missing_message_count = 0, is_draft = NULL WHERE is_draft;
UPDATE conversations SET display_title = title;
UPDATE conversations SET missing_message_count = 0 WHERE conversation_id = 'c3 empty' OR conversation_id = 'sub';
UPDATE conversations SET title = NULL WHERE conversation_id = 'c2';
