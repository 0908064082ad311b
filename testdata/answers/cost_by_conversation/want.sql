-- the dearest conversation first, a cost of 0 before one that is not known
SELECT source_id, title, model, cost_cents, requests, conversation_cost_cents, with_cost, live_total FROM cost_by_conversation;
--> s2 | Elsewhere | sonnet | 50 | 5 | 50 | 3 | 5
--> s1 | Shared | sonnet | 20 | NULL | 30 | 3 | 5
--> s1 | Shared | gpt-4o | 10 | 4 | 30 | 3 | 5
--> s1 | Free | gpt-4o | 0 | 1 | 0 | 3 | 5
--> s1 | Counted | gpt-4o | NULL | 3 | NULL | 3 | 5
