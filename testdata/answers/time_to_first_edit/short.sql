-- 60 seconds and none: half a minute is between them; of four prompts two had an accepted edit
FROM time_to_first_edit_short;
--> tide | 4 | 2 | 0.5 | 1 | 0
