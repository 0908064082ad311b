-- opus by both ways: four of six pieces, in x.go, y.go and z.go, of a and of gone
FROM ai_code_by_model_short;
--> opus | 4 | 66.7 | 3 | 2
--> fusion | 1 | 16.7 | 1 | 0
--> NULL | 1 | 16.7 | 0 | 1
