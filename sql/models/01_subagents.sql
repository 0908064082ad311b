-- Finds the parent of each subagent, and what a subagent inherits from its parent.
--
-- Everything is computed from _subagent_claims for all conversations, and written only where it differs. So the same statements undo claims that have
-- vanished, and a run over a few changed conversations gives the result of a run over all.

-- The parent of a subagent is that of the claim of the lowest rank (3 and more are about best-of-N copies) that names one (the header table only says "is a subagent"); among equal
-- ranks the smaller parent id. Where no claim names one, the parent has the call that started the subagent: of several that have it, as forks do, the one that was created first. A
-- call's id may have a line end, or its escape, and a second part, which a place may lack. A conversation cannot be its own parent. A best-of-N copy is no subagent, even where it is listed
-- as one or has subagentInfo.
CREATE OR REPLACE TEMP MACRO _first_part(id) AS split_part(split_part(id, chr(10), 1), '\n', 1);
CREATE OR REPLACE TEMP TABLE _subagents AS
WITH best_of AS ( -- as 02_best_of.sql finds them
    SELECT source_id, conversation_id
    FROM _subagent_claims
    WHERE rank >= 3
    GROUP BY source_id, conversation_id
    HAVING bool_or(rank < 5) AND bool_or(parent_conversation_id <> conversation_id)
), claimed AS (
    SELECT c.source_id, c.conversation_id, _first_part(c.subagent_tool_call_id) AS call_id,
           arg_min(s.parent_conversation_id, (s.rank, s.parent_conversation_id))
               FILTER (WHERE s.parent_conversation_id IS NOT NULL AND s.parent_conversation_id <> s.conversation_id) AS parent_id
    FROM _subagent_claims s
    JOIN conversations c ON c.source_id = s.source_id AND c.conversation_id = s.conversation_id
    ANTI JOIN best_of k ON k.source_id = s.source_id AND k.conversation_id = s.conversation_id
    WHERE s.rank <= 2
    GROUP BY ALL
), callers AS (
    SELECT s.source_id, s.conversation_id, arg_min(p.conversation_id, (epoch_ms(coalesce(p.created_at, '2100-01-01 00:00:00+00')), p.conversation_id)) AS parent_id
    FROM claimed s
    JOIN tool_calls t ON t.source_id = s.source_id AND (t.tool_kind = 'task' OR t.tool = 'task') AND _first_part(t.tool_call_id) = s.call_id AND t.conversation_id <> s.conversation_id
    JOIN conversations p ON p.source_id = t.source_id AND p.conversation_id = t.conversation_id
    WHERE s.parent_id IS NULL AND s.call_id <> ''
    GROUP BY ALL
)
SELECT s.source_id, s.conversation_id, coalesce(s.parent_id, c.parent_id) AS parent_id
FROM claimed s
LEFT JOIN callers c ON c.source_id = s.source_id AND c.conversation_id = s.conversation_id;

-- A conversation's own project is one that a store names. A project that comes from a parent is computed again each time. The search goes up until an
-- ancestor has its own project. UNION drops pairs that were seen before: so a cycle ends.
CREATE OR REPLACE TEMP TABLE _subagent_updates AS
WITH RECURSIVE own AS (
    SELECT source_id, conversation_id, project_uri, project, project_path
    FROM conversations
    WHERE project_source IS NOT NULL AND project_source <> 'parent'
), up(source_id, conversation_id, ancestor_id) AS (
    SELECT s.source_id, s.conversation_id, s.parent_id
    FROM _subagents s
    ANTI JOIN own o ON o.source_id = s.source_id AND o.conversation_id = s.conversation_id
    WHERE s.parent_id IS NOT NULL
    UNION
    SELECT u.source_id, u.conversation_id, s.parent_id
    FROM up u
    JOIN _subagents s ON s.source_id = u.source_id AND s.conversation_id = u.ancestor_id
    ANTI JOIN own o ON o.source_id = u.source_id AND o.conversation_id = u.ancestor_id
    WHERE s.parent_id IS NOT NULL
), inherited AS (
    SELECT u.source_id, u.conversation_id, o.project_uri, o.project, o.project_path
    FROM up u
    JOIN own o ON o.source_id = u.source_id AND o.conversation_id = u.ancestor_id
), facts AS (
    SELECT c.source_id, c.conversation_id,
           s.conversation_id IS NOT NULL AS is_subagent,
           s.parent_id,
           i.conversation_id IS NOT NULL AS inherits,
           i.project_uri, i.project, i.project_path,
           c.is_subagent AS was_subagent, c.parent_conversation_id AS parent_before, c.project_source IS NOT DISTINCT FROM 'parent' AS inherited_before,
           (c.project_uri, c.project, c.project_path) AS project_before
    FROM conversations c
    LEFT JOIN _subagents s ON s.source_id = c.source_id AND s.conversation_id = c.conversation_id
    LEFT JOIN inherited i ON i.source_id = c.source_id AND i.conversation_id = c.conversation_id
    WHERE s.conversation_id IS NOT NULL OR c.is_subagent OR c.parent_conversation_id IS NOT NULL OR c.project_source = 'parent'
)
-- The conversations among them whose row must be written.
SELECT source_id, conversation_id, is_subagent, parent_id, inherits, project_uri, project, project_path
FROM facts
WHERE was_subagent IS DISTINCT FROM is_subagent
   OR parent_before IS DISTINCT FROM parent_id
   OR inherited_before <> inherits
   OR (inherits AND project_before IS DISTINCT FROM (project_uri, project, project_path));

-- These count as changed, and so do all conversations below a changed one: they have the session of their root.
INSERT INTO _changed
WITH RECURSIVE down(source_id, conversation_id) AS (
    SELECT source_id, conversation_id FROM _changed
    UNION
    SELECT source_id, conversation_id FROM _subagent_updates
    UNION
    SELECT s.source_id, s.conversation_id
    FROM down d
    JOIN _subagents s ON s.source_id = d.source_id AND s.parent_id = d.conversation_id
)
SELECT source_id, conversation_id FROM down
EXCEPT
SELECT source_id, conversation_id FROM _changed;

-- The groups that they leave; the groups that they join are added below.
INSERT INTO _changed_groups
SELECT DISTINCT c.source_id, c.project_uri
FROM conversations c
SEMI JOIN _changed x ON x.source_id = c.source_id AND x.conversation_id = c.conversation_id;

-- workspace_id is not inherited: it is the folder that names the conversation itself.
UPDATE conversations AS c
SET is_subagent = u.is_subagent,
    parent_conversation_id = u.parent_id,
    project_uri = CASE WHEN u.inherits THEN u.project_uri WHEN c.project_source = 'parent' THEN NULL ELSE c.project_uri END,
    project = CASE WHEN u.inherits THEN u.project WHEN c.project_source = 'parent' THEN NULL ELSE c.project END,
    project_path = CASE WHEN u.inherits THEN u.project_path WHEN c.project_source = 'parent' THEN NULL ELSE c.project_path END,
    project_source = CASE WHEN u.inherits THEN 'parent' WHEN c.project_source = 'parent' THEN NULL ELSE c.project_source END
FROM _subagent_updates u
WHERE u.source_id = c.source_id AND u.conversation_id = c.conversation_id;

INSERT INTO _changed_groups
SELECT DISTINCT u.source_id, c.project_uri
FROM _subagent_updates u
JOIN conversations c ON c.source_id = u.source_id AND c.conversation_id = u.conversation_id;

DROP TABLE _subagent_updates;
DROP TABLE _subagents;
