SELECT source_id, conversation_id, server, is_gone FROM _mcp_servers ORDER BY ALL;
--> s1 |  | set | false
--> s1 |  | unset | true
--> s1 | c1 | goes | true
--> s1 | c1 | new | false
--> s1 | c1 | stays | false
--> s1 | c2 | goes | true
--> s1 | c3 | other | false
--> s2 |  | unread | false
--> s2 | c1 | elsewhere | false
