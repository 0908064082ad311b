EXECUTE answer;
--> true

-- Without these calls a fifth of the messages' places is empty, which is not more than a fifth; nor are rows that were added since among the places.
TRUNCATE tool_calls;
--> 7
BEGIN;
INSERT INTO messages (message_id) SELECT 'new' || i FROM range(3) t(i);
--> 3
EXECUTE answer;
--> false
