SET session_timezone = 'UTC';
