-- k3 has two versions: k1 k2 k3, k3 k4 k5, k6 k7.
EXECUTE answer(source_id := 's1', store := 'global', conversation_id := 'c1', rows := 3);
--> k3
--> k5
