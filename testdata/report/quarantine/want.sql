SELECT family, reason, open, resolved FROM report.quarantine ORDER BY ALL;
--> bubbleId | bad_json | 2 | 1
--> composerData | empty | 0 | 1
