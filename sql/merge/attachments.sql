-- Removes the attachments of existing messages and conversations, for the conversations in _changed, but those whose keys are staged: the staged attachments replace them.
-- Attachments of a deleted message or conversation stay. It runs once messages and conversations are merged. The variable changed_conversations has the ids in _changed
-- if there are few, else NULL.
DELETE FROM attachments AS o USING (SELECT DISTINCT * FROM _changed) c
WHERE (getvariable('changed_conversations') IS NULL OR list_contains(getvariable('changed_conversations'), o.conversation_id))
  AND c.source_id = o.source_id AND c.conversation_id = o.conversation_id
  AND (o.message_id IS NULL AND EXISTS (
      FROM conversations k WHERE k.source_id = o.source_id AND k.conversation_id = o.conversation_id AND k.deleted_at IS NULL)
    OR EXISTS (
      FROM (
        FROM messages WHERE getvariable('changed_conversations') IS NULL OR list_contains(getvariable('changed_conversations'), conversation_id)
      ) m
      WHERE m.source_id = o.source_id AND m.conversation_id = o.conversation_id AND m.message_id = o.message_id AND m.deleted_at IS NULL))
  AND NOT EXISTS (FROM temp.stage_{{.Name}} s WHERE {{same "s" "o" .Table}});
