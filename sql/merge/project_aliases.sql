-- Merges the aliases of projects in _aliases, and finds where each chain of aliases ends. An empty alias_of takes an alias back. What a user says comes
-- before what a load saw. The variable load_id is the load's number.
DELETE FROM temp._aliases AS n USING project_aliases a
WHERE a.project_uri = n.project_uri AND (n.origin = 'renamed' AND a.origin = 'flag' OR n.origin = a.origin AND n.alias_of = a.alias_of);
DELETE FROM temp._aliases AS n USING temp._aliases f WHERE n.origin = 'renamed' AND f.origin = 'flag' AND f.project_uri = n.project_uri;

-- a folder that was renamed back has its old name again
DELETE FROM project_aliases AS a USING temp._aliases n WHERE n.origin = 'renamed' AND a.origin = 'renamed' AND a.project_uri = n.alias_of;
DELETE FROM project_aliases AS a USING temp._aliases n WHERE a.project_uri = n.project_uri;
INSERT INTO project_aliases BY NAME
SELECT project_uri, alias_of, project AS alias_project, project_path AS alias_path, origin, getvariable('load_id') AS first_load_id
FROM temp._aliases
WHERE alias_of <> ''
ORDER BY project_uri;

-- a rename that leads back to itself by way of what the user said
DELETE FROM project_aliases
WHERE origin = 'renamed' AND project_uri IN (
    WITH RECURSIVE steps(start, uri) AS (
        SELECT project_uri, alias_of FROM project_aliases
        UNION
        SELECT s.start, a.alias_of FROM steps s JOIN project_aliases a ON a.project_uri = s.uri
    )
    SELECT start FROM steps WHERE uri = start);

UPDATE project_aliases AS o
SET new_project_uri = e.alias_of, new_project = e.alias_project, new_project_path = e.alias_path
FROM (
    WITH RECURSIVE steps(start, uri) AS (
        SELECT project_uri, project_uri FROM project_aliases
        UNION
        SELECT s.start, a.alias_of FROM steps s JOIN project_aliases a ON a.project_uri = s.uri
    )
    SELECT s.start, a.alias_of, a.alias_project, a.alias_path
    FROM steps s
    JOIN project_aliases a ON a.project_uri = s.uri
    ANTI JOIN project_aliases n ON n.project_uri = a.alias_of
) e
WHERE e.start = o.project_uri AND (o.new_project_uri, o.new_project, o.new_project_path) IS DISTINCT FROM (e.alias_of, e.alias_project, e.alias_path);
DROP TABLE temp._aliases;
