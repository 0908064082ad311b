-- k1: the first prompt's two events, and the subagent's; k2: the second prompt; k3 shares no file with a
SELECT commit, subject, conversations, models, events, fresh_input_tokens, cost_cents, with_cost FROM billed_by_commit;
--> k2k2k2k2k2 | Better | 1 | m1 | 1 | 3 | 20 | 1
--> k1k1k1k1k1 | Make it | 2 | m1, m2 | 3 | 207 | 12.5 | 2
