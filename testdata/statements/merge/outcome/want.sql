-- New: new, new orphan. Changed: same, back, orphan before; and deleted orphan, alone and of a list, which come back with their messages. Deleted: head lost, gone.
EXECUTE answer;
--> 2 | 5 | 2
