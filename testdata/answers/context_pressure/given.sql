-- Windows of 1,000 tokens. went_on: 800 (just near) in its second message, one later with less. below: 799. shrunk: 960 in two messages, the first
-- counts, a summary with it; at its last turn 300. moved: 949 (not yet full) at the last turn, a new conversation exactly 30 minutes after its last
-- message (a subagent sooner). late: one a millisecond too late, and one of the same project in another source in time. timeless: no time.
-- same id in s2: over its limit. The deleted, the orphaned and the one without a limit are not there.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, title, status, context_tokens_used, context_token_limit, summary, created_at, deleted_at) VALUES
    ('s1', 'went_on', 'file:///w', 'w', 'Went on', NULL, 700, 1000, NULL, '2025-03-01 09:00:00+00', NULL),
    ('s1', 'below', 'file:///w', 'w', 'Below', NULL, 799, 1000, NULL, '2025-03-01 08:00:00+00', NULL),
    ('s1', 'shrunk', 'file:///w', 'w', 'Shrunk', NULL, 300, 1000, NULL, '2025-03-02 09:00:00+00', NULL),
    ('s1', 'moved', 'file:///m', 'm', 'Moved', NULL, 949, 1000, 'all of it', '2025-03-03 09:00:00+00', NULL),
    ('s1', 'sub', 'file:///m', 'm', 'Sub', NULL, NULL, NULL, NULL, '2025-03-03 09:01:30+00', NULL),
    ('s1', 'next', 'file:///m', 'm', 'Next', NULL, NULL, NULL, NULL, '2025-03-03 09:31:00+00', NULL),
    ('s1', 'late', 'file:///l', 'l', 'Late', NULL, 950, 1000, NULL, '2025-03-04 09:00:00+00', NULL),
    ('s1', 'after_late', 'file:///l', 'l', 'After late', NULL, NULL, NULL, NULL, '2025-03-04 09:31:00.001+00', NULL),
    ('s2', 'after_late', 'file:///l', 'l', 'Other source', NULL, NULL, NULL, NULL, '2025-03-04 09:10:00+00', NULL),
    ('s1', 'timeless', 'file:///t', 't', 'Timeless', NULL, 900, 1000, NULL, NULL, NULL),
    ('s2', 'went_on', 'file:///w', 'w', 'Over', NULL, 1500, 1000, NULL, NULL, NULL),
    ('s1', 'gone', 'file:///w', 'w', 'Gone', NULL, 1000, 1000, NULL, NULL, '2025-06-01 00:00:00+00'),
    ('s1', 'orphan', 'file:///w', 'w', NULL, 'orphaned', 1000, 1000, NULL, NULL, NULL),
    ('s1', 'unlimited', 'file:///w', 'w', 'Unlimited', NULL, 1000, NULL, NULL, NULL, NULL);
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('sub', 'sub', 0, 'moved');
INSERT INTO messages (source_id, conversation_id, message_id, position, context_tokens_used, summary, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'went_on', 'm0', 0, NULL, 'early', '2025-03-01 09:00:00+00', 'message', NULL),
    ('s1', 'went_on', 'm1', 1, 800, NULL, '2025-03-01 09:01:00+00', 'message', NULL),
    ('s1', 'went_on', 'm2', 2, 700, NULL, '2025-03-01 09:02:00+00', 'message', NULL),
    ('s1', 'went_on', 'x', NULL, 990, 'lost', '2025-03-01 09:03:00+00', 'message', '2025-06-01 00:00:00+00'),
    ('s1', 'shrunk', 'm0', 0, 960, 'so far', '2025-03-02 09:00:00+00', 'previous', NULL),
    ('s1', 'shrunk', 'm1', 1, 960, NULL, '2025-03-02 09:01:00+00', 'message', NULL),
    ('s1', 'shrunk', 'm2', 2, 300, NULL, '2025-03-02 09:02:00+00', 'message', NULL),
    ('s1', 'moved', 'm0', 0, 500, NULL, '2025-03-03 09:01:00+00', 'message', NULL),
    ('s1', 'late', 'm0', 0, NULL, NULL, '2025-03-04 09:01:00+00', 'message', NULL),
    ('s1', 'timeless', 'm0', 0, NULL, NULL, NULL, NULL, NULL);
-- Compacted: full, then the message that says that Cursor summarized the conversation, which stores no summary.
INSERT INTO conversations (source_id, conversation_id, display_title, context_tokens_used, context_token_limit) VALUES ('s1', 'compacted', 'Compacted', 990, 1000);
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, context_tokens_used, created_at_source) VALUES
    ('s1', 'compacted', 'm0', 0, 'text', 990, NULL), ('s1', 'compacted', 'm1', 1, 'compaction', NULL, NULL);
