-- Of a the row m1 was rewritten (100, 120 bytes) and is back at its first version; m2 was rewritten (50, 70); m3 is gone; m4 was gone and is there again, new. Of b
-- nothing was ever rewritten. c is gone as a whole, d lives in another source under the id of a. Rows of no conversation, and two rows without a key, one of them gone, count by family only.
-- The store of the first run had more families; the second run looked at it again. agentKv:blob is not kept, a secret never read.
ALTER TABLE _known_rows ALTER store SET DEFAULT 'global';
ALTER TABLE _known_rows ALTER table_name SET DEFAULT 'cursorDiskKV';
ALTER TABLE _known_rows ALTER key_type SET DEFAULT 'text';
ALTER TABLE _known_rows ALTER row_id SET DEFAULT 0;
ALTER TABLE _known_rows ALTER is_mark SET DEFAULT false;
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, created_at, deleted_at) VALUES
    ('s1', 'a', 'Large', 'file:///w/tide', 'tide', '2025-03-10 09:00:00+00', NULL), ('s1', 'b', 'Small', 'file:///w/tide', 'tide', '2025-03-20 09:00:00+00', NULL),
    ('s1', 'c', 'Gone', 'file:///w/web', 'web', '2025-03-10 09:00:00+00', '2025-06-02 00:00:00+00'), ('s2', 'a', 'Elsewhere', 'file:///w/tide', 'tide', '2025-03-10 09:00:00+00', NULL),
    ('s1', 'inline', 'In the workspace', 'file:///w/tide', 'tide', '2025-03-10 09:00:00+00', NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, created_at) VALUES
    ('s1', 'a', 'm1', 0, '2025-03-10 09:00:00+00'), ('s1', 'a', 'm2', 1, '2025-03-10 09:00:00+00'), ('s1', 'a', 'm4', 2, '2025-03-10 09:00:00+00'),
    ('s1', 'b', 'm1', 0, '2025-03-20 09:00:00+00'), ('s2', 'a', 'm1', 0, '2025-03-10 09:00:00+00');
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
-- what other places have: chats of the command line, a transcript, a plan, commits, usage and the tracking database
INSERT INTO sources (source_id) VALUES ('s3');
INSERT INTO _known_rows (source_id, store, table_name, conversation_id, key, value_bytes, hash, is_mark, seq, raw_file) VALUES
    ('s3', 'chats/w/c', 'blobs', 'c', '0af1', 9, 'c1', false, 1, 's3/1.parquet'), ('s3', 'chats/w/c', 'blobs', 'c', 'ff:02', 8, 'c2', false, 1, 's3/1.parquet'),
    ('s3', 'chats/w/c', 'meta', 'c', '0', 7, 'c3', false, 1, 's3/1.parquet'), ('s3', 'chats/w/c', 'file', 'c', 'meta.json', 6, 'c4', false, 1, 's3/1.parquet'),
    ('s3', 'chats/w/c', 'file', 'c', 'chats/w/c/store.db', 2, 'c5', false, 1, 's3/1.parquet'),
    ('s3', 'projects', 'transcript', 'd', 'p/d.jsonl', 5, 'c6', false, 1, 's3/1.parquet'), ('s3', 'plans', 'plans', '(plans)', 'x.plan.md', 4, 'c7', false, 1, 's3/1.parquet'),
    ('s3', 'git/r', 'git', '(git)', 'aa11', 3, 'c8', false, 1, 's3/1.parquet'), ('s3', 'git/r', 'git', '(git)', 'bb22', 3, 'c9', false, 1, 's3/1.parquet'),
    ('s3', 'usage', 'usage', '(usage)', 'e1', 1, 'c10', false, 1, 's3/1.parquet'), ('s3', 'ai-tracking', 'scored_commits', '(t)', 'aa main', 0, 'c11', false, 1, 's3/1.parquet');
INSERT INTO key_families (load_id, source_id, store, family, rows, null_rows, bytes_read, handling) VALUES
    (1, 's1', 'global', 'bubbleId', 99, 0, 99, 'loaded'), (1, 's1', 'global', 'inlineDiff', 9, 0, 0, 'raw_only'),
    (2, 's1', 'global', 'bubbleId', 5, 1, 640, 'loaded'), (2, 's1', 'global', 'composerData', 2, 0, 1500, 'loaded'), (2, 's1', 'global', 'checkpointId', 1, 0, 20, 'loaded'),
    (2, 's1', 'global', 'composer.content', 1, 0, 0, 'raw_only'), (2, 's1', 'global', 'agentKv:blob', 7, 0, 0, 'raw_only'), (2, 's1', 'global', '(no key)', 1, 0, 7, 'loaded'),
    (2, 's1', 'global', 'cursorAuth', 2, 0, 0, 'refused'), (1, 's1', 'workspace/w', 'aichat.chatdata', 1, 0, 90, 'loaded'), (1, 's2', 'global', 'composerData', 1, 0, 300, 'loaded'),
    (1, 's3', 'chats', 'cli.blob', 2, 0, 17, 'linked'), (1, 's3', 'chats', 'cli.meta', 1, 0, 7, 'loaded'), (1, 's3', 'chats', 'cli.meta.json', 1, 0, 6, 'loaded');
