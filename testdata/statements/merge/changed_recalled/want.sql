SELECT * FROM _changes ORDER BY ALL;
--> 6 | messages | 2025-01 | s1 | c3
--> 7 | messages | 2025-06 | s1 | c3
--> 7 | tool_calls | 2025-03 | s1 | c1
--> 7 | tool_calls | unknown | s1 | c1
