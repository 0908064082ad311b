-- both sources' conversations are of the project; the inline one has no rows; the two of s1 are of two sessions
SELECT project_uri, project, present_bytes, share, kept_bytes, rows, sessions, largest_conversation, largest_conversation_bytes, conversations, all_conversations FROM storage_by_project;
--> file:///w/tide | tide | 2435 | 1 | 2675 | 8 | 3 | Large | 1215 | 3 | 4
--> file:///w/web | web | 0 | 0 | 700 | 0 | 0 | Gone | 0 | 1 | 1
