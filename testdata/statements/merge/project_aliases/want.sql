SELECT project_uri, alias_of, origin, first_load_id, new_project_uri, new_project, new_project_path FROM project_aliases ORDER BY project_uri;
--> a | b | flag | 1 | c | C | /c
--> b | c | flag | 7 | c | C | /c
--> d | a | flag | 7 | c | C | /c
--> f | w | flag | 7 | w | W | /w
--> g | h | renamed | 7 | h | H | /h
--> j | i | renamed | 7 | i | I | /i
