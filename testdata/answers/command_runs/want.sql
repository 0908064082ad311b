SELECT message_id, program, exit_code, is_rejected, is_failed FROM command_runs;
--> m09 | npm | NULL | NULL | NULL
--> m08 | git | 0 | true | NULL
--> m07 | cd | NULL | false | false
--> m06 | NULL | NULL | NULL | NULL
--> m05 | go | 0 | NULL | NULL
--> m04 | python3.11 | 1 | false | true
--> m03 | gradlew | NULL | true | NULL
--> m02 | apt-get | NULL | NULL | true
--> m01 | npm | 2 | NULL | true
--> m00 | npm | 0 | NULL | false

SELECT project, title, position, created_at, created_at_source FROM command_runs WHERE message_id = 'm04';
--> tide | One | 4 | 2025-03-10 09:04:00 | message
