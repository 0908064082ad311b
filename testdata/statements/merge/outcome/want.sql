-- New: new, new orphan. Changed: same, back, orphan before; and deleted orphan, which comes back with its messages. Deleted: head lost, gone.
EXECUTE answer;
--> 2 | 4 | 2
