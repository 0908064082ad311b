SELECT conversation_id, message_id, path FROM attachments ORDER BY ALL;
--> c1 | deleted | its message is deleted
--> c1 | never there | its message was never there
--> c1 | there | staged as it is
--> c1 | there | staged otherwise
--> c1 | NULL | staged, of the conversation
--> c2 | deleted | its message is deleted
--> c2 | NULL | its conversation is deleted
--> c3 | there | not changed
