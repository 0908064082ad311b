-- Notes in _recalled the conversations that the view live_conversations has now and did not have after the load before, or the other way round, and keeps
-- in _live_conversations which it has.
INSERT INTO _recalled
SELECT t.name, d.conversation_id
FROM (
  (SELECT source_id, conversation_id FROM live_conversations EXCEPT FROM _live_conversations)
  UNION ALL
  (FROM _live_conversations EXCEPT SELECT source_id, conversation_id FROM live_conversations)
) d
CROSS JOIN (VALUES ('messages'), ('tool_calls')) t(name);
DELETE FROM _live_conversations AS l USING (FROM _live_conversations EXCEPT SELECT source_id, conversation_id FROM live_conversations) d
WHERE d.source_id = l.source_id AND d.conversation_id = l.conversation_id;
INSERT INTO _live_conversations (SELECT source_id, conversation_id FROM live_conversations EXCEPT FROM _live_conversations);
