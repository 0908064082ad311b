EXECUTE answer;
--> s1 | a | false | false | false
--> s1 | b | true | false | false
--> s1 | c | false | true | true
--> s1 | d | true | true | false
