SELECT list_sort(getvariable('changed_conversations'));
--> [c1 c2]
