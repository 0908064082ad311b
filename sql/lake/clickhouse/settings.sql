-- Tested with ClickHouse 26.9, in chDB.
SET session_timezone = 'UTC';
