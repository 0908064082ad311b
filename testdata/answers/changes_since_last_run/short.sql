-- what is gone first
FROM changes_since_last_run_short;
--> deleted | Lost | tide | 0 | NULL
--> new | New | tide | 2 | 2
--> changed | Grown | tide | 2 | 1
--> changed | Inline | NULL | 1 | NULL
--> changed | Back | NULL | 1 | 0
--> changed | Elsewhere | NULL | 1 | NULL
