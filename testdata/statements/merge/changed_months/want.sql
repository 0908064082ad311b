SELECT * FROM _changes ORDER BY ALL;
--> 7 | messages | 2025-03 | s1 | c1
--> 7 | messages | 2025-04 | s1 | c1
--> 7 | messages | 2025-05 | s1 | c2
--> 7 | messages | 2025-06 | s1 | c1
--> 7 | messages | unknown | s1 | c2
--> 7 | tool_calls | 2025-03 | s1 | c1
--> 7 | tool_calls | 2025-04 | s1 | c1
--> 7 | tool_calls | 2025-05 | s1 | c2
--> 7 | tool_calls | unknown | s1 | c2
