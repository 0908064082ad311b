SELECT * FROM _live_conversations ORDER BY ALL;
--> s1 | comes
--> s1 | stays
--> s2 | goes
SELECT * FROM _recalled ORDER BY ALL;
--> messages | comes
--> messages | goes
--> tool_calls | comes
--> tool_calls | goes
