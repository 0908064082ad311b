EXECUTE answer;
--> s1 | global | deleted | f | false
--> s1 | global | never read | f | false
--> s1 | global | orphan | f | false
--> s1 | global | there | f | true
--> s1 | global | there | g | true
