-- 21,660 seconds, of which 51 minutes are active
FROM session_lengths_short;
--> First | site | 2025-03-10 00:00:00 | 6 | 0.9 | 3
--> Elsewhere | site | 2025-03-10 00:00:00 | 0 | 0 | 1
--> NULL | site | 2025-03-12 00:00:00 | NULL | NULL | 1
