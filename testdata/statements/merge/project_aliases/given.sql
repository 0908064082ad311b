-- a -> b is known. The user adds b -> c and d -> a, takes e back, and overrides what a load saw of f. The load saw that g became h, that j was renamed back
-- to i, that b became x (the user has said what b is), and that c became a, which would go in a circle.
SET VARIABLE load_id = 7::BIGINT;
INSERT INTO project_aliases (project_uri, alias_of, alias_project, alias_path, origin, first_load_id, new_project_uri, new_project) VALUES
  ('a', 'b', 'B', '/b', 'flag', 1, 'b', 'B'), ('e', 'z', 'Z', '/z', 'flag', 1, 'z', 'Z'), ('f', 'y', 'Y', '/y', 'renamed', 2, 'y', 'Y'), ('i', 'j', 'J', '/j', 'renamed', 3, 'j', 'J');
CREATE TEMP TABLE _aliases (project_uri VARCHAR, alias_of VARCHAR, project VARCHAR, project_path VARCHAR, origin VARCHAR);
INSERT INTO _aliases VALUES ('a', 'b', 'B', '/b', 'flag'), ('b', 'c', 'C', '/c', 'flag'), ('d', 'a', 'A', '/a', 'flag'), ('e', '', NULL, NULL, 'flag'), ('f', 'w', 'W', '/w', 'flag'),
  ('g', 'h', 'H', '/h', 'renamed'), ('j', 'i', 'I', '/i', 'renamed'), ('b', 'x', 'X', '/x', 'renamed'), ('c', 'a', 'A', '/a', 'renamed');
