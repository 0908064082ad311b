CREATE VIEW live_conversations AS SELECT * FROM (VALUES ('s1', 'stays', 'a title'), ('s1', 'comes', 'a title'), ('s2', 'goes', 'a title')) v(source_id, conversation_id, title);
INSERT INTO _live_conversations VALUES ('s1', 'stays'), ('s1', 'goes'), ('s2', 'goes');
