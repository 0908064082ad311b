-- the session of shop takes 30 minutes, that of blog 15, that of the chat 1
SELECT title, project, CAST(started_at AS VARCHAR)[:16] AS started, conversations, models, events, output_tokens, cost_cents, cents_per_hour, estimated_turns FROM billed_by_session;
--> NULL | NULL | NULL | 1 | m1, m2 | 2 | 2 | 100 | NULL | 0
--> Cart | shop | 2026-05-01 10:00 | 2 | m1, m2 | 4 | 16 | 32.5 | 65 | 0
--> Post | blog | 2026-05-02 09:00 | 1 | m1 | 1 | 6 | 5 | 20 | 0
--> Chat | NULL | 2026-05-03 09:00 | 1 | m3 | 0 | NULL | NULL | NULL | 1
