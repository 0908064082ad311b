-- of three recorded sizes the middle one; a tenth of the two windows that are known
FROM context_size_short;
--> gpt-5 | 4 | 3 | 20000 | 10
--> auto | 1 | 1 | 5 | NULL
--> NULL | 1 | 0 | NULL | NULL
