FROM _aliases;
--> one | new1 | n1 | /n1 | renamed
