-- 5,000 and 3,000 of 8,000 tokens
FROM context_breakdown_short;
--> Conversation | 2 | 2 | 0 | 62.5 | 50
--> System prompt | 2 | 2 | 1000 | 37.5 | 10
--> MCP servers | 1 | 0 | NULL | NULL | NULL
