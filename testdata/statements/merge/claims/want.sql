SELECT conversation_id, claimed_by, parent_conversation_id FROM _subagent_claims ORDER BY ALL;
--> sub of c2 | c2 | c2
--> sub of c3 | c3 | c3
