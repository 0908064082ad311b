SELECT source_id, conversation_id, message_id, ordinal, path FROM attachments ORDER BY ALL;
--> s1 | c1 | m1 | 0 | new
--> s1 | c1 | m1 | 1 | another place
--> s1 | c1 | m2 | 0 | another message
--> s1 | c1 | NULL | 0 | new of the conversation
--> s1 | c2 | m1 | 1 | added
--> s2 | c1 | m1 | 0 | another source
