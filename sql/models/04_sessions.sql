-- Builds sessions: consecutive conversations of a project. A session ends if nothing happened for the gap (30 minutes, _meta.session_gap_ms) before the
-- next conversation.
--
-- A group is a source and a project; conversations without a project are one group for each source. Only the groups in _changed_groups are built, each
-- as a whole. Deleted and orphaned conversations, empty ones (no message, and none missing), subagents, best-of-N copies, conversations without a start, and copies of a primary in
-- another source are left out. Times are compared as milliseconds (epoch_ms), never by calendar: the result is the same for every TimeZone.

SET VARIABLE session_gap_ms = (
    SELECT greatest(least(coalesce(max(TRY_CAST(value AS BIGINT)), 1800000), 4102444800000), 0) FROM _meta WHERE key = 'session_gap_ms');

CREATE OR REPLACE TEMP TABLE _session_conversations AS
WITH groups AS (
    SELECT source_id, project_uri, row_number() OVER () AS group_no FROM (SELECT DISTINCT source_id, project_uri FROM _changed_groups)
), members AS (
    SELECT c.source_id, c.conversation_id, c.project_uri, c.project, c.last_message_at,
           c.message_count, c.user_message_count, c.tool_call_count,
           coalesce(c.created_at, c.first_message_at, c.updated_at) AS start_at,
           g.group_no,
           NOT c.is_subagent AND c.best_of_parent_id IS NULL AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'
               AND (c.message_count > 0 OR c.missing_message_count > 0) AS is_member
    FROM conversations c
    JOIN groups g ON g.source_id = c.source_id AND g.project_uri IS NOT DISTINCT FROM c.project_uri
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
)
SELECT * EXCLUDE (is_member),
       epoch_ms(start_at) AS start_ms,
       -- start of the conversation before it, NULL for the first of the group; it is the latest earlier start, as the order is by start
       CASE WHEN lag(group_no) OVER starts = group_no THEN lag(epoch_ms(start_at)) OVER starts END AS previous_start_ms
FROM members
WHERE is_member AND isfinite(start_at)
WINDOW starts AS (ORDER BY group_no, start_at, conversation_id);

-- Finds the conversations that open a session. A conversation that starts within the gap after the one before it opens none. Any other is a candidate:
-- it opens a session unless a message of an earlier conversation was sent in [start - gap, start]. Later messages do not count: a chat that is resumed
-- days later does not join sessions.
-- To avoid comparing every message with every candidate, time is cut into slots as wide as the gap (1 ms for a gap of 0). The window of a candidate covers parts
-- of the slot of its start and the slot before, so the join is on equal slots.
CREATE OR REPLACE TEMP TABLE _session_members AS
WITH candidates AS (
    SELECT group_no, conversation_id, start_ms, unnest([start_ms // greatest(getvariable('session_gap_ms'), 1), start_ms // greatest(getvariable('session_gap_ms'), 1) - 1]) AS slot
    FROM _session_conversations
    WHERE start_ms - previous_start_ms > getvariable('session_gap_ms')
), sent AS (
    SELECT c.group_no, c.start_ms, epoch_ms(m.created_at) AS sent_ms, epoch_ms(m.created_at) // greatest(getvariable('session_gap_ms'), 1) AS slot
    FROM messages m
    JOIN _session_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL AND m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
), kept_open AS (
    SELECT DISTINCT c.group_no, c.conversation_id
    FROM sent s
    JOIN candidates c ON c.group_no = s.group_no AND c.slot = s.slot
    WHERE s.sent_ms BETWEEN c.start_ms - getvariable('session_gap_ms') AND c.start_ms
      -- of an earlier conversation: a candidate's predecessors all start before it. The message's time alone does not tell: a message may be older than its
      -- own conversation (a fork).
      AND s.start_ms < c.start_ms
), opened AS (
    SELECT c.*, CASE WHEN c.previous_start_ms IS NULL OR (c.start_ms - c.previous_start_ms > getvariable('session_gap_ms') AND k.conversation_id IS NULL) THEN c.start_ms END AS opening_ms
    FROM _session_conversations c
    LEFT JOIN kept_open k ON k.group_no = c.group_no AND k.conversation_id = c.conversation_id
)
-- A session is named after its start, the latest opening so far: openings of a group differ, as each is more than the gap after the start before it.
SELECT * EXCLUDE (opening_ms, previous_start_ms),
       left(sha256(source_id || chr(31) || coalesce(project_uri, '') || chr(31)
                   || CAST(max(opening_ms) OVER (PARTITION BY group_no ORDER BY start_ms, conversation_id ROWS UNBOUNDED PRECEDING) AS VARCHAR)), 16) AS session_id
FROM opened;

DELETE FROM sessions AS s
USING (SELECT DISTINCT source_id, project_uri FROM _changed_groups) g
WHERE g.source_id = s.source_id AND g.project_uri IS NOT DISTINCT FROM s.project_uri;

-- ended_at may be before started_at, if all messages of a conversation are older than itself (a fork): the duration is 0 then.
INSERT INTO sessions BY NAME
SELECT session_id, source_id, project_uri,
       min(project) AS project,
       min(start_at) AS started_at,
       coalesce(max(last_message_at), max(start_at)) AS ended_at,
       greatest(epoch_ms(coalesce(max(last_message_at), max(start_at))) - epoch_ms(min(start_at)), 0) AS duration_ms,
       count(*) AS conversation_count,
       coalesce(TRY_CAST(sum(message_count) AS BIGINT), max(message_count)) AS message_count,
       coalesce(TRY_CAST(sum(user_message_count) AS BIGINT), max(user_message_count)) AS user_message_count,
       coalesce(TRY_CAST(sum(tool_call_count) AS BIGINT), max(tool_call_count)) AS tool_call_count
FROM _session_members
GROUP BY session_id, source_id, project_uri
ORDER BY source_id, project_uri, started_at;

UPDATE conversations AS c
SET session_id = w.session_id
FROM (
    SELECT k.source_id, k.conversation_id, m.session_id
    FROM conversations k
    JOIN (SELECT DISTINCT source_id, project_uri FROM _changed_groups) g
        ON g.source_id = k.source_id AND g.project_uri IS NOT DISTINCT FROM k.project_uri
    LEFT JOIN _session_members m ON m.source_id = k.source_id AND m.conversation_id = k.conversation_id
    WHERE NOT k.is_subagent AND k.best_of_parent_id IS NULL AND k.session_id IS DISTINCT FROM m.session_id
) w
WHERE w.source_id = c.source_id AND w.conversation_id = c.conversation_id;

-- A live subagent, and a live best-of-N copy, has the session of the conversation at the top of its tree, even if they are in different groups: so all of them
-- are looked at. If that conversation is a copy, its primary has the session. UNION ends a cycle, which has no top and no session.
UPDATE conversations AS c
SET session_id = w.session_id
FROM (
    WITH RECURSIVE below AS (
        SELECT source_id, conversation_id, CASE WHEN is_subagent THEN parent_conversation_id ELSE best_of_parent_id END AS above_id
        FROM conversations
        WHERE is_subagent OR best_of_parent_id IS NOT NULL
    ), up(source_id, conversation_id, ancestor_id) AS (
        SELECT source_id, conversation_id, above_id
        FROM below
        WHERE above_id IS NOT NULL
        UNION
        SELECT u.source_id, u.conversation_id, p.above_id
        FROM up u
        JOIN below p ON p.source_id = u.source_id AND p.conversation_id = u.ancestor_id
        WHERE p.above_id IS NOT NULL
    ), tops AS (
        SELECT u.source_id, u.conversation_id, t.session_id
        FROM up u
        JOIN conversations r ON r.source_id = u.source_id AND r.conversation_id = u.ancestor_id
        LEFT JOIN conversation_copies p ON p.source_id = r.source_id AND p.conversation_id = r.conversation_id
        JOIN conversations t ON t.source_id = coalesce(p.primary_source_id, r.source_id) AND t.conversation_id = r.conversation_id
        WHERE NOT r.is_subagent AND r.best_of_parent_id IS NULL
    )
    SELECT k.source_id, k.conversation_id,
           CASE WHEN k.deleted_at IS NULL AND k.status IS DISTINCT FROM 'orphaned' AND x.source_id IS NULL
                     AND (k.message_count > 0 OR k.missing_message_count > 0) THEN t.session_id END AS session_id
    FROM conversations k
    SEMI JOIN below b ON b.source_id = k.source_id AND b.conversation_id = k.conversation_id
    LEFT JOIN (FROM conversation_copies WHERE NOT is_primary) x ON x.source_id = k.source_id AND x.conversation_id = k.conversation_id
    LEFT JOIN tops t ON t.source_id = k.source_id AND t.conversation_id = k.conversation_id
) w
WHERE w.source_id = c.source_id AND w.conversation_id = c.conversation_id AND c.session_id IS DISTINCT FROM w.session_id;

DROP TABLE _session_members;
DROP TABLE _session_conversations;
