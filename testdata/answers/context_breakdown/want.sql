-- of 8,000 tokens 5,000 are the conversation; its half of a window is over the one whose size is known
SELECT part, label, conversations, tokens_known, tokens_avg, tokens_p50, tokens_p95, tokens_max, share, share_of_limit, with_breakdown, live_total FROM context_breakdown;
--> conversation | Conversation | 2 | 2 | 2500 | 0 | 5000 | 5000 | 0.625 | 0.5 | 2 | 3
--> system_prompt | System prompt | 2 | 2 | 1500 | 1000 | 2000 | 2000 | 0.375 | 0.1 | 2 | 3
--> mcp | MCP servers | 1 | 0 | NULL | NULL | NULL | NULL | NULL | NULL | 2 | 3
