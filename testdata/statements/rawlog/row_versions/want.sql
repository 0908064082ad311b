EXECUTE answer(source_id := 's1', store := 'global', conversation_id := 'c1', until := 3, idents := '["6B", "C5BC27", "00"]');
--> T | F | k | text | NULL | 1 | third | text | 10 | c | 3 | 4
--> T | F | k | text | NULL | 1 | second | text | 10 | b | 2 | 3
--> T | F | ż' | text | NULL | 1 | asked for, too | text | 10 | a | 2 | 9
--> T | F | k | text | NULL | 1 | first | text | 10 | a | 1 | 2
