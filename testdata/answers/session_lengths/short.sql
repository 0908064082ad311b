-- 21,660 seconds, of which 51 minutes are active; three minutes, none of which is between two messages
FROM session_lengths_short;
--> First | site | 2025-03-10 00:00:00 | 6.02 | 0.85 | 3
--> Elsewhere | site | 2025-03-10 00:00:00 | 0.05 | 0 | 1
--> NULL | site | 2025-03-12 00:00:00 | NULL | NULL | 1
