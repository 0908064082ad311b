SELECT message_id, outcome, is_error FROM tool_calls ORDER BY message_id;
--> aborted | aborted | NULL
--> by its message | error | true
--> cancelled | cancelled | NULL
--> failed | error | true
--> loading | pending | NULL
--> nothing | NULL | NULL
--> ok | ok | false
--> rejected | rejected | NULL
