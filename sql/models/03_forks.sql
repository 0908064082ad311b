-- Finds the messages that a conversation has from another one, and the conversation that a fork came from.
--
-- Cursor copies the messages of a chat that is forked, under new ids; their requests keep their ids. Or it copies them under their own ids (_copied). Such a request, or message,
-- belongs to the live conversation that started first of those that have it: start is created_at, else first_message_at, else updated_at; among equal ones the
-- smaller id. A message is a repeat if it, or its request, belongs to a conversation that started before its own. Often only the prompt of a turn names the
-- request: a message that names none has that of its turn. A subagent and a best-of-N copy are no forks, even where they have a request of their parent; what
-- they have of another one by a copied message repeats all the same. A best-of-N copy comes right after its parent in the order of starts. Everything is
-- computed for all conversations, and written only where it differs. _recalled gets what it writes.
-- A load skips it while (SELECT request_id FROM messages WHERE request_id IS NOT NULL GROUP BY request_id HAVING min(conversation_id) <> max(conversation_id)
--                        UNION ALL SELECT forked_from FROM conversations WHERE forked_from IS NOT NULL
--                        UNION ALL SELECT message_id FROM _copied UNION ALL SELECT message_id FROM messages WHERE is_repeat) is empty.

-- The conversations in the order of their starts, and to which a message or a request may belong. A copy in another source is the same conversation.
CREATE OR REPLACE TEMP TABLE _starts AS
WITH started AS (
    SELECT source_id, conversation_id, is_subagent, best_of_parent_id, deleted_at, status,
           epoch_ms(coalesce(created_at, first_message_at, updated_at, '2100-01-01 00:00:00+00')) AS start_ms
    FROM conversations
)
SELECT c.source_id, c.conversation_id,
       {group_ms: coalesce(p.start_ms, c.start_ms), group_id: coalesce(p.conversation_id, c.conversation_id),
        is_copy: c.best_of_parent_id IS NOT NULL, start_ms: c.start_ms, id: c.conversation_id} AS place,
       NOT c.is_subagent AND c.best_of_parent_id IS NULL AS may_be_fork,
       c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned' AND k.source_id IS NULL AS may_own, c.is_subagent
FROM started c
LEFT JOIN started p ON p.source_id = c.source_id AND p.conversation_id = c.best_of_parent_id
LEFT JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id;

-- The requests that several conversations have, and to which they belong.
CREATE OR REPLACE TEMP TABLE _request_owners AS
WITH shared AS (
    SELECT request_id
    FROM messages
    WHERE request_id IS NOT NULL
    GROUP BY request_id
    HAVING min(conversation_id) <> max(conversation_id)
)
SELECT m.request_id, min(c.place) AS owner
FROM messages m
SEMI JOIN shared s ON s.request_id = m.request_id
JOIN _starts c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id AND c.may_own AND NOT c.is_subagent
WHERE m.deleted_at IS NULL
GROUP BY m.request_id;

-- The conversations to which the copied messages belong.
CREATE OR REPLACE TEMP TABLE _copy_owners AS
SELECT k.copy_of, min(c.place) AS owner
FROM _copied k
JOIN messages m ON m.source_id = k.source_id AND m.conversation_id = k.conversation_id AND m.message_id = k.message_id
JOIN _starts c ON c.source_id = k.source_id AND c.conversation_id = k.conversation_id AND c.may_own
ANTI JOIN _missing_headers h ON h.source_id = k.source_id AND h.conversation_id = k.conversation_id AND h.message_id = k.message_id -- placed there (00_placed_messages.sql)
WHERE m.deleted_at IS NULL
GROUP BY k.copy_of;

CREATE OR REPLACE TEMP TABLE _repeats AS
WITH holders AS (
    SELECT DISTINCT m.source_id, m.conversation_id
    FROM messages m
    SEMI JOIN _request_owners o ON o.request_id = m.request_id
), turns AS ( -- with the places, as the engine might join each place with each owner else
    SELECT m.source_id, m.conversation_id, m.message_id, m.position,
           coalesce(m.request_id, arg_min(m.request_id, (m.role <> 'user', m.position IS NULL, m.position, m.message_id)) FILTER (WHERE m.request_id IS NOT NULL)
               OVER (PARTITION BY m.source_id, m.conversation_id, m.turn, m.is_listed, m.deleted_at IS NULL)) AS request_id,
           c.place, c.may_be_fork
    FROM messages m
    SEMI JOIN holders h ON h.source_id = m.source_id AND h.conversation_id = m.conversation_id
    JOIN _starts c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
)
SELECT t.source_id, t.conversation_id, t.message_id, t.position, o.owner.id AS owner_id
FROM turns t
JOIN _request_owners o ON o.request_id = t.request_id
WHERE t.may_be_fork AND o.owner.id <> t.conversation_id AND o.owner < t.place
UNION
SELECT k.source_id, k.conversation_id, k.message_id, m.position, o.owner.id
FROM _copied k
JOIN messages m ON m.source_id = k.source_id AND m.conversation_id = k.conversation_id AND m.message_id = k.message_id
JOIN _copy_owners o ON o.copy_of = k.copy_of
JOIN _starts c ON c.source_id = k.source_id AND c.conversation_id = k.conversation_id
LEFT JOIN _missing_headers h ON h.source_id = k.source_id AND h.conversation_id = k.conversation_id AND h.message_id = k.message_id
WHERE o.owner.id <> k.conversation_id AND (o.owner < c.place OR h.message_id IS NOT NULL);

CREATE OR REPLACE TEMP TABLE _forks AS
WITH found AS (
    SELECT r.source_id, r.conversation_id, arg_min(r.owner_id, (r.position IS NULL, r.position, r.message_id, r.owner_id)) AS origin_id
    FROM _repeats r
    JOIN _starts c ON c.source_id = r.source_id AND c.conversation_id = r.conversation_id AND c.may_be_fork
    GROUP BY r.source_id, r.conversation_id
)
SELECT c.source_id, c.conversation_id, f.origin_id
FROM conversations c
LEFT JOIN found f ON f.source_id = c.source_id AND f.conversation_id = c.conversation_id
WHERE c.forked_from IS DISTINCT FROM f.origin_id;

CREATE OR REPLACE TEMP TABLE _repeat_changes AS
SELECT source_id, conversation_id, message_id, true AS is_repeat
FROM messages m
SEMI JOIN _repeats r USING (source_id, conversation_id, message_id)
WHERE NOT m.is_repeat
UNION ALL
SELECT source_id, conversation_id, message_id, false
FROM messages m
ANTI JOIN _repeats r USING (source_id, conversation_id, message_id)
WHERE m.is_repeat;

UPDATE messages AS m
SET is_repeat = x.is_repeat
FROM _repeat_changes x
WHERE x.source_id = m.source_id AND x.conversation_id = m.conversation_id AND x.message_id = m.message_id;

UPDATE conversations AS c
SET forked_from = f.origin_id
FROM _forks f
WHERE f.source_id = c.source_id AND f.conversation_id = c.conversation_id;

INSERT INTO _recalled
SELECT DISTINCT 'messages', conversation_id FROM _repeat_changes;

DROP TABLE _repeat_changes;
DROP TABLE _forks;
DROP TABLE _repeats;
DROP TABLE _copy_owners;
DROP TABLE _request_owners;
DROP TABLE _starts;
