-- Finds the projects of conversations that only the name of a folder tells: of chats of the command line, and of transcripts.
--
-- The folder of such a chat is named after the MD5 of its working directory's path, that of transcripts after the path itself: its letters and digits, with one hyphen
-- for all other characters in a row. Where neither the conversation nor its graph says which directory that is, the path of a known project of the same machine that
-- gives this name says it. Nothing does where different paths give it. A long name is cut: 84 characters, and 7 digits of a hash. Where the command line's own note names the
-- directory (conversation_sources.project_path), the conversation has it from there. Everything is computed for all such conversations, and written only where it differs.
-- A load skips it while (SELECT conversation_id FROM conversation_sources WHERE store_kind IN ('cli_store', 'transcript')) is empty.
CREATE OR REPLACE TEMP TABLE _folder_projects AS
WITH projects AS (
    SELECT s.host, c.project_uri, c.project, c.project_path, ltrim(c.project_path, '/\') AS below_root
    FROM conversations c
    JOIN sources s ON s.source_id = c.source_id
    WHERE c.project_source NOT IN ('slug', 'parent') AND c.project_path IS NOT NULL
    GROUP BY ALL
), spellings AS ( -- the letter of a drive is seen in both cases
    SELECT *, below_root AS spelled FROM projects
    UNION ALL
    SELECT *, CASE WHEN below_root[1] = lower(below_root[1]) THEN upper(below_root[1]) ELSE lower(below_root[1]) END || below_root[2:] FROM projects WHERE regexp_matches(below_root, '^[A-Za-z]:')
), named AS ( -- the likeliest form first: other readers have seen names in which only separators are hyphens
    SELECT host, project_uri, project, project_path, md5(project_path) AS folder, 1 AS form FROM projects
    UNION
    SELECT host, project_uri, project, project_path, trim(regexp_replace(spelled, '[^A-Za-z0-9]+', '-', 'g'), '-'), 1 FROM spellings
    UNION
    SELECT host, project_uri, project, project_path, regexp_replace(trim(spelled, '/\.:'), '[/\\.:]+', '-', 'g'), 2 FROM spellings
), cut AS ( -- the names that are longer, as far as a cut one has them
    SELECT host, project_uri, project, project_path, folder, form FROM named
    UNION
    SELECT host, project_uri, project, project_path, left(folder, 84) || '…', form FROM named WHERE length(folder) > 84
), likeliest AS (
    SELECT host, folder, project_uri, project, project_path FROM cut WHERE folder <> '' QUALIFY form = min(form) OVER (PARTITION BY host, folder)
), known AS (
    SELECT host, folder, min((project_uri, project, project_path)) AS found
    FROM likeliest
    GROUP BY ALL
    HAVING min(replace(lower(ltrim(project_path, '/\')), '\', '/')) = max(replace(lower(ltrim(project_path, '/\')), '\', '/'))
), chats AS (
    SELECT c.source_id, c.conversation_id, s.host, c.project_source, c.project_uri, c.project, c.project_path,
           arg_min(regexp_extract(p.path, '^(?:chats|projects)/([^/]*)/', 1), (p.deleted_at IS NOT NULL, p.path)) AS folder
    FROM conversations c
    JOIN conversation_sources p ON p.source_id = c.source_id AND p.conversation_id = c.conversation_id AND p.store_kind IN ('cli_store', 'transcript') AND p.is_primary
    JOIN sources s ON s.source_id = c.source_id
    WHERE c.project_source IS NULL OR c.project_source IN ('slug', 'parent')
    GROUP BY ALL
    HAVING count(p.project_path) = 0
), placed AS ( -- the whole name before a cut one
    SELECT c.*, coalesce(k.found, l.found) AS found
    FROM chats c
    LEFT JOIN known k ON k.host = c.host AND k.folder = c.folder
    LEFT JOIN known l ON l.host = c.host AND l.folder = CASE WHEN regexp_full_match(c.folder, '.{84}-?[0-9a-f]{7}') THEN left(c.folder, 84) || '…' END
)
SELECT source_id, conversation_id, found[1] AS project_uri, found[2] AS project, found[3] AS project_path
FROM placed
WHERE (project_source IS NOT DISTINCT FROM 'slug' OR found IS NOT NULL)
  AND (CASE WHEN project_source = 'slug' THEN placed.project_uri END, CASE WHEN project_source = 'slug' THEN placed.project END, CASE WHEN project_source = 'slug' THEN placed.project_path END)
      IS DISTINCT FROM (found[1], found[2], found[3]);

INSERT INTO _changed
SELECT source_id, conversation_id FROM _folder_projects
EXCEPT
SELECT source_id, conversation_id FROM _changed;

-- The groups that they leave, and those that they join.
INSERT INTO _changed_groups
SELECT DISTINCT c.source_id, c.project_uri
FROM conversations c
JOIN _folder_projects f ON f.source_id = c.source_id AND f.conversation_id = c.conversation_id
UNION
SELECT source_id, project_uri FROM _folder_projects;

UPDATE conversations AS c
SET project_uri = f.project_uri, project = f.project, project_path = f.project_path,
    project_source = CASE WHEN f.project_uri IS NOT NULL THEN 'slug' END
FROM _folder_projects f
WHERE f.source_id = c.source_id AND f.conversation_id = c.conversation_id;

DROP TABLE _folder_projects;
