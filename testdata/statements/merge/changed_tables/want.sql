SELECT * FROM _changes ORDER BY ALL;
--> 2 | loads | NULL | NULL | NULL
--> 3 | loads | NULL | NULL | NULL
--> 3 | messages | 2025-05 | s1 | c1
--> 4 | loads | NULL | NULL | NULL
--> 4 | messages | 2025-06 | s1 | c1
--> 4 | messages | 2025-07 | s1 | c1
--> 4 | sessions | NULL | NULL | NULL
--> 4 | tool_calls | 2025-07 | s1 | c1
