-- The edit and the attachment of a deleted conversation have no deletion time of their own.
SELECT table_name, live, deleted, orphaned FROM report.tables WHERE live + coalesce(deleted, 0) + coalesce(orphaned, 0) > 0 ORDER BY table_name;
--> attachments | 1 | 1 | 1
--> code_edits | 1 | 1 | 0
--> commit_files | 2 | 0 | NULL
--> commits | 2 | 1 | NULL
--> conversations | 7 | 1 | 1
--> messages | 21 | 2 | 1
--> model_usage | 3 | 1 | 0
--> repositories | 1 | 0 | NULL
--> sessions | 4 | NULL | NULL
--> sources | 3 | NULL | NULL
--> tool_calls | 9 | 1 | 1

-- Tables without a row have one here.
SELECT table_name, live FROM report.tables WHERE live = 0 AND coalesce(deleted, 0) = 0 ORDER BY table_name;
--> checkpoints | 0
--> code_diffs | 0
--> context_parts | 0
--> conversation_sources | 0
--> daily_edit_stats | 0
--> model_prices | 0
--> project_aliases | 0
--> prompts | 0
--> turn_estimates | 0
--> workspaces | 0
