-- Run 3 is the latest that changed anything; run 4 found nothing. In run 3: new is new; grown has one new message (n), one rewritten (o) and one gone; back came back with a
-- row of its own again; inline changed, but its messages are no rows; lost is deleted. old was deleted by run 2, still is untouched. The log has nothing of s2: grown there cannot tell.
ALTER TABLE _known_rows ALTER store SET DEFAULT 'global';
ALTER TABLE _known_rows ALTER table_name SET DEFAULT 'cursorDiskKV';
ALTER TABLE _known_rows ALTER key_type SET DEFAULT 'text';
ALTER TABLE _known_rows ALTER row_id SET DEFAULT 0;
ALTER TABLE _known_rows ALTER is_mark SET DEFAULT false;
ALTER TABLE loads ALTER status SET DEFAULT 'ok';
ALTER TABLE loads ALTER mode SET DEFAULT 'incremental';
ALTER TABLE loads ALTER tool_version SET DEFAULT '1';
ALTER TABLE loads ALTER schema_version SET DEFAULT 3;
ALTER TABLE loads ALTER conversations_new SET DEFAULT 0;
ALTER TABLE loads ALTER conversations_changed SET DEFAULT 0;
ALTER TABLE loads ALTER conversations_deleted SET DEFAULT 0;
ALTER TABLE loads ALTER conversations_unchanged SET DEFAULT 0;
ALTER TABLE loads ALTER messages_loaded SET DEFAULT 0;
ALTER TABLE loads ALTER quarantined SET DEFAULT 0;
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO loads (load_id, started_at, conversations_new, conversations_changed, conversations_deleted) VALUES
    (1, '2025-06-01 10:00:00+00', 5, 0, 0), (2, '2025-06-02 10:00:00+00', 0, 0, 2), (3, '2025-06-03 10:00:00+00', 1, 4, 1), (4, '2025-06-04 10:00:00+00', 0, 0, 0);
INSERT INTO raw_files (path, load_id, rows, bytes, sha256) VALUES ('s1/1.parquet', 1, 9, 900, 'x'), ('s1/3.parquet', 3, 6, 400, 'x');
INSERT INTO conversations (source_id, conversation_id, title, project, format, first_seen_at, changed_at, deleted_at, created_at, updated_at) VALUES
    ('s1', 'new', 'New', 'tide', 'rows', '2025-06-03 10:00:00+00', '2025-06-03 10:00:00+00', NULL, '2025-05-30 09:00:00+00', NULL),
    ('s1', 'grown', 'Grown', 'tide', 'rows', '2025-06-01 10:00:00+00', '2025-06-03 10:00:00+00', NULL, '2025-05-01 09:00:00+00', '2025-05-29 09:00:00+00'),
    ('s1', 'inline', 'Inline', NULL, 'inline', '2025-06-01 10:00:00+00', '2025-06-03 10:00:00+00', NULL, '2025-05-01 09:00:00+00', '2025-05-28 09:00:00+00'),
    ('s1', 'back', 'Back', NULL, 'rows', '2025-06-01 10:00:00+00', '2025-06-03 10:00:00+00', NULL, '2025-05-01 09:00:00+00', '2025-05-27 09:00:00+00'),
    ('s1', 'lost', 'Lost', 'tide', 'rows', '2025-06-01 10:00:00+00', '2025-06-03 10:00:00+00', '2025-06-03 10:00:00+00', '2025-05-01 09:00:00+00', NULL),
    ('s1', 'old', 'Old', NULL, 'rows', '2025-06-01 10:00:00+00', '2025-06-02 10:00:00+00', '2025-06-02 10:00:00+00', '2025-05-01 09:00:00+00', NULL),
    ('s1', 'still', 'Still', NULL, 'rows', '2025-06-01 10:00:00+00', '2025-06-01 10:00:00+00', NULL, '2025-05-01 09:00:00+00', NULL),
    ('s2', 'grown', 'Elsewhere', NULL, 'rows', '2025-06-01 10:00:00+00', '2025-06-03 10:00:00+00', NULL, '2025-05-01 09:00:00+00', NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'new', 'm0', 0, '2025-05-30 09:00:00+00', 'conversation', NULL), ('s1', 'new', 'm1', 1, '2025-05-30 09:00:00+00', 'conversation', NULL),
    ('s1', 'grown', 'o', 0, '2025-05-01 09:00:00+00', 'conversation', NULL), ('s1', 'grown', 'n', 1, '2025-05-01 09:00:00+00', 'conversation', NULL),
    ('s1', 'grown', 'g', NULL, '2025-05-01 09:00:00+00', 'conversation', '2025-06-03 10:00:00+00'),
    ('s1', 'grown', 'h', NULL, '2025-05-01 09:00:00+00', 'conversation', '2025-06-02 10:00:00+00'),
    ('s1', 'inline', 'm0', 0, '2025-05-01 09:00:00+00', 'conversation', NULL), ('s1', 'back', 'm0', 0, '2025-05-01 09:00:00+00', 'conversation', NULL),
    ('s1', 'lost', 'm0', NULL, '2025-05-01 09:00:00+00', 'conversation', '2025-06-03 10:00:00+00'),
    ('s1', 'lost', 'm1', NULL, '2025-05-01 09:00:00+00', 'conversation', '2025-06-03 10:00:00+00'),
    ('s1', 'still', 'm0', 0, '2025-05-01 09:00:00+00', 'conversation', NULL), ('s2', 'grown', 'm0', 0, '2025-05-01 09:00:00+00', 'conversation', NULL);
INSERT INTO _known_rows (source_id, conversation_id, key, value_bytes, hash, is_mark, seq, raw_file) VALUES
    ('s1', 'grown', 'bubbleId:grown:o', 10, 'h1', false, 1, 's1/1.parquet'), ('s1', 'grown', 'bubbleId:grown:g', 10, 'h2', false, 1, 's1/1.parquet'),
    ('s1', 'back', 'bubbleId:back:m0', 10, 'h3', false, 1, 's1/1.parquet'), ('s1', 'lost', 'bubbleId:lost:m0', 10, 'h4', false, 1, 's1/1.parquet'),
    ('s1', 'grown', 'bubbleId:grown:o', 12, 'h5', false, 3, 's1/3.parquet'), ('s1', 'grown', 'bubbleId:grown:n', 10, 'h6', false, 3, 's1/3.parquet'),
    ('s1', 'grown', 'composerData:grown', 10, 'h7', false, 3, 's1/3.parquet'), ('s1', 'grown', 'bubbleId:grown:g', 0, NULL, true, 3, 's1/3.parquet'),
    ('s1', 'back', 'bubbleId:back:m0', 0, 'h3', true, 3, 's1/3.parquet'), ('s1', 'new', 'bubbleId:new:m0', 10, 'h8', false, 3, 's1/3.parquet');
INSERT INTO _raw_parts (raw_file, seq, load_id, first_row, rows) VALUES ('s1/1.parquet', 1, 1, 0, 9), ('s1/3.parquet', 3, 3, 0, 6);
