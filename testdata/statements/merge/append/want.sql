SELECT store FROM _known_stores ORDER BY 1;
--> global
--> workspace/w
