EXECUTE answer;
--> true
DELETE FROM key_families WHERE handling = 'unknown';
--> 2
EXECUTE answer;
--> false
