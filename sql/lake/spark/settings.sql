-- Tested with Spark 4.3. Spark 3 lacks functions of JSON that two answers use.
SET TIME ZONE 'UTC';
