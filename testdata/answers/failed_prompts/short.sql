FROM failed_prompts_short;
--> 2026-05-01 00:00:00 | shop | Build it | no network | m1
--> NULL | NULL | Write | NULL | NULL
