EXECUTE answer;
--> s1 | a | false | false | false | NULL | NULL
--> s1 | b | true | false | false | NULL | NULL
--> s1 | c | false | true | true | NULL | NULL
--> s1 | d | true | true | true | D | NULL
