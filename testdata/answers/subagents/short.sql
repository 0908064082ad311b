-- the shell failed in one of two known ends, and took a minute; five say no type
FROM subagents_short;
--> NULL | 4 | 0 | NULL | NULL
--> explore | 1 | 0 | NULL | NULL
--> general-purpose | 1 | 0 | NULL | NULL
--> generalPurpose | 1 | 0 | NULL | NULL
--> its own | 1 | 0 | NULL | NULL
--> shell | 1 | 4 | 50 | 1
