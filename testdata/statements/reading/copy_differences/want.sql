EXECUTE answer(copy := 'copy');
--> 0
COMMENT ON TABLE copy.main.mine IS 'another';
DROP VIEW copy.main.ours;
-- The table with either comment, the view, and the view's column.
EXECUTE answer(copy := 'copy');
--> 4
