-- Finds the conversation of a stored difference whose key names none (keyed_by '', in a workspace's store '(workspace/...)'): that of a code edit that
-- names the difference.
--
-- It looks at all conversations, since a difference and its edit may come with different loads. Among several edits a live one comes first, then the
-- smaller conversation id.
UPDATE code_diffs AS d
SET conversation_id = e.conversation_id
FROM (
    SELECT source_id, diff_id, arg_min(conversation_id, (deleted_at IS NOT NULL, conversation_id)) AS conversation_id
    FROM code_edits
    WHERE diff_id IS NOT NULL
    GROUP BY source_id, diff_id
) e
WHERE (d.keyed_by = '' OR d.keyed_by LIKE '(workspace/%)') AND e.source_id = d.source_id AND e.diff_id = d.diff_id AND d.conversation_id IS DISTINCT FROM e.conversation_id;
