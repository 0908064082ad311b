SELECT message_id, is_simulated FROM messages ORDER BY message_id;
--> a | false
--> b | true
--> c | false
