SELECT source_id, workspace_id, prompt_id, text, deleted_at FROM prompts ORDER BY ALL;
--> s1 |  | gone | gone | 2025-06-10 00:00:00
--> s1 |  | gone before | gone before | 2025-06-02 00:00:00
--> s1 |  | kept | there | NULL
--> s1 | w | unread | its store was not read whole | NULL
--> s2 |  | other | of another source | NULL
SELECT store, key FROM _known_documents ORDER BY ALL;
--> global | new
--> workspace/w | kept
