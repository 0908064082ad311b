SELECT checkpoint_id FROM temp.stage_checkpoints ORDER BY ALL;
--> back
--> new
--> not changed
--> other files
SELECT count(*) FROM checkpoints;
--> 5
