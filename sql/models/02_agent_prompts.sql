-- Marks what an agent told its subagent: the first message of role user of a subagent. No person wrote it, so that it opens no turn.
--
-- Where the store itself says so of the message, or the conversation that it is a subagent, the row comes marked. _agent_prompts remembers which messages are marked as they
-- are the first: where nobody calls a conversation a subagent any more, its first message is a prompt again.
-- A load skips it while (SELECT conversation_id FROM conversations WHERE is_subagent UNION ALL SELECT conversation_id FROM _agent_prompts) is empty.
CREATE OR REPLACE TEMP TABLE _prompt_marks AS
SELECT p.source_id, p.conversation_id, p.message_id, m.position, false AS is_marked
FROM _agent_prompts p
JOIN messages m ON m.source_id = p.source_id AND m.conversation_id = p.conversation_id AND m.message_id = p.message_id
JOIN conversations c ON c.source_id = p.source_id AND c.conversation_id = p.conversation_id
SEMI JOIN _changed x ON x.source_id = p.source_id AND x.conversation_id = p.conversation_id
WHERE NOT c.is_subagent AND m.is_simulated AND m.deleted_at IS NULL
UNION ALL
SELECT m.source_id, m.conversation_id, arg_min(m.message_id, m.position), min(m.position), true
FROM messages m
JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
SEMI JOIN _changed x ON x.source_id = m.source_id AND x.conversation_id = m.conversation_id
WHERE c.is_subagent AND m.role = 'user' AND m.deleted_at IS NULL
GROUP BY m.source_id, m.conversation_id
HAVING NOT arg_min(coalesce(m.is_simulated, false), m.position);

UPDATE messages AS m
SET is_simulated = CASE WHEN m.message_id = p.message_id THEN p.is_marked ELSE m.is_simulated END, turn = CASE WHEN p.is_marked THEN greatest(m.turn, 1) - 1 ELSE least(m.turn, 9223372036854775806) + 1 END
FROM _prompt_marks p
WHERE p.source_id = m.source_id AND p.conversation_id = m.conversation_id AND m.deleted_at IS NULL AND m.position >= p.position;

DELETE FROM _agent_prompts AS p
USING _prompt_marks k
WHERE k.source_id = p.source_id AND k.conversation_id = p.conversation_id;

INSERT INTO _agent_prompts BY NAME
SELECT source_id, conversation_id, message_id FROM _prompt_marks WHERE is_marked;

INSERT INTO _recalled
SELECT DISTINCT 'messages', conversation_id FROM _prompt_marks;

DROP TABLE _prompt_marks;
