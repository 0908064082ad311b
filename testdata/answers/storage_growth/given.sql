-- Of a the row m1 was rewritten (100, 120 bytes) and is back at its first version; m2 was rewritten (50, 70); m3 is gone; m4 was gone and is there again, new. Of b
-- nothing was ever rewritten. c is gone as a whole, d lives in another source under the id of a. Rows of no conversation, and two rows without a key, one of them gone, count by family only.
-- Two runs on 2 June, one that found nothing on 3 June; s2 was seen by the third run only, and one of its two stores could not be read. s3 has no rows in the log.
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
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, created_at, deleted_at) VALUES
    ('s1', 'a', 'Large', 'file:///w/tide', 'tide', '2025-03-10 09:00:00+00', NULL), ('s1', 'b', 'Small', 'file:///w/tide', 'tide', '2025-03-20 09:00:00+00', NULL),
    ('s1', 'c', 'Gone', 'file:///w/web', 'web', '2025-03-10 09:00:00+00', '2025-06-02 00:00:00+00'), ('s2', 'a', 'Elsewhere', 'file:///w/tide', 'tide', '2025-03-10 09:00:00+00', NULL),
    ('s1', 'inline', 'In the workspace', 'file:///w/tide', 'tide', '2025-03-10 09:00:00+00', NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, created_at) VALUES
    ('s1', 'a', 'm1', 0, '2025-03-10 09:00:00+00'), ('s1', 'a', 'm2', 1, '2025-03-10 09:00:00+00'), ('s1', 'a', 'm4', 2, '2025-03-10 09:00:00+00'),
    ('s1', 'b', 'm1', 0, '2025-03-20 09:00:00+00'), ('s2', 'a', 'm1', 0, '2025-03-10 09:00:00+00');
INSERT INTO sources (source_id) VALUES ('s3');
INSERT INTO _known_rows (source_id, conversation_id, key, value_bytes, hash, is_mark, seq, raw_file) VALUES
    ('s1', 'a', 'composerData:a', 1000, 'h0', false, 1, 's1/1.parquet'), ('s1', 'a', 'bubbleId:a:m1', 100, 'h1', false, 1, 's1/1.parquet'),
    ('s1', 'a', 'bubbleId:a:m2', 50, 'h2', false, 1, 's1/1.parquet'), ('s1', 'a', 'bubbleId:a:m3', 30, 'h3', false, 1, 's1/1.parquet'),
    ('s1', 'a', 'bubbleId:a:m4', 40, 'h4', false, 1, 's1/1.parquet'), ('s1', 'b', 'composerData:b', 500, 'h5', false, 1, 's1/1.parquet'),
    ('s1', 'b', 'bubbleId:b:m1', 400, 'h6', false, 1, 's1/1.parquet'), ('s1', 'c', 'composerData:c', 700, 'h7', false, 1, 's1/1.parquet'),
    ('s1', '(kept:composer.content)', 'composer.content.ab12', 60, 'h8', false, 1, 's1/1.parquet'),
    ('s1', 'a', 'bubbleId:a:m1', 120, 'h11', false, 2, 's1/2.parquet'), ('s1', 'a', 'bubbleId:a:m2', 70, 'h12', false, 2, 's1/2.parquet'),
    ('s1', 'a', 'bubbleId:a:m3', 0, NULL, true, 2, 's1/2.parquet'), ('s1', 'a', 'bubbleId:a:m4', 0, NULL, true, 2, 's1/2.parquet'),
    ('s1', 'c', 'composerData:c', 0, NULL, true, 2, 's1/2.parquet'),
    ('s1', 'a', 'bubbleId:a:m1', 0, 'h1', true, 3, 's1/3.parquet'), ('s1', 'a', 'bubbleId:a:m4', 45, 'h13', false, 3, 's1/3.parquet'),
    ('s1', 'b', 'checkpointId:b:k', 20, 'h14', false, 3, 's1/3.parquet'),
    ('s2', 'a', 'composerData:a', 300, 'h0', false, 4, 's2/4.parquet');
INSERT INTO _known_rows (source_id, table_name, conversation_id, key, key_type, value_bytes, hash, is_mark, seq, raw_file) VALUES
    ('s1', 'cursorDiskKV', '', '', 'null', 5, 'n1', false, 1, 's1/1.parquet'), ('s1', 'cursorDiskKV', '', '', 'null', 7, 'n2', false, 1, 's1/1.parquet'),
    ('s1', 'cursorDiskKV', '', '', 'null', 0, 'n1', true, 2, 's1/2.parquet'),
    ('s1', 'ItemTable', '(shared)', 'workbench.panel.chat.view.chat.chatdata', 'text', 90, 'i1', false, 1, 's1/1.parquet'),
    ('s1', 'file', '(shared)', 'workspace.json', 'text', 9, 'f1', false, 1, 's1/1.parquet');
INSERT INTO loads (load_id, started_at, conversations_new, conversations_changed, conversations_deleted) VALUES
    (1, '2025-06-01 10:00:00+00', 4, 0, 0), (2, '2025-06-02 10:00:00+00', 0, 1, 1), (3, '2025-06-02 23:30:00+00', 0, 2, 0), (4, '2025-06-03 10:00:00+00', 0, 0, 0);
INSERT INTO raw_files (path, load_id, rows, bytes, sha256) VALUES
    ('s1/1.parquet', 1, 13, 900, 'x'), ('s1/2.parquet', 2, 6, 400, 'x'), ('s1/3.parquet', 3, 3, 300, 'x'), ('s2/4.parquet', 3, 1, 200, 'x');
ALTER TABLE load_stores ALTER rows_seen SET DEFAULT 0;
ALTER TABLE load_stores ALTER rows_read SET DEFAULT 0;
ALTER TABLE load_stores ALTER rows_changed SET DEFAULT 0;
ALTER TABLE load_stores ALTER is_complete SET DEFAULT true;
ALTER TABLE load_stores ALTER path SET DEFAULT 'state.vscdb';
INSERT INTO load_stores (load_id, source_id, store, bytes) VALUES (1, 's1', 'global', 10000), (1, 's1', 'workspace/w', 1000), (2, 's1', 'global', 12000), (2, 's1', 'workspace/w', 1000),
    (3, 's1', 'global', 15000), (3, 's1', 'workspace/w', 1000), (4, 's1', 'global', 14000), (4, 's1', 'workspace/w', 1000),
    (3, 's2', 'global', 700), (3, 's2', 'workspace/v', NULL), (4, 's3', 'global', NULL);
INSERT INTO _raw_parts (raw_file, seq, load_id, first_row, rows) VALUES ('s1/1.parquet', 1, 1, 0, 13), ('s1/2.parquet', 2, 2, 0, 6), ('s1/3.parquet', 3, 3, 0, 3), ('s2/4.parquet', 4, 3, 0, 1);
