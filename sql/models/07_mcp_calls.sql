-- Finds the MCP server of each call that is named by the call's name alone, as in mcp_chrome-devtools_navigate_page or chrome-devtools-navigate_page: the longest known server of the
-- source that the name begins with. What follows it is the tool.
--
-- A server is known if a conversation or the settings of the source name it. Deleted calls know those that are named no more, too. It looks at all calls,
-- since a server may become known with a later load, and writes only what differs. Where no server is known, the server is the name up to the first
-- '-' or '_', as the transform reads it. _recalled gets the calls that it writes.
-- A load skips it while _mcp_servers is empty.
CREATE OR REPLACE TEMP TABLE _mcp_calls AS
WITH known AS (
    SELECT source_id, server, bool_and(is_gone) AS is_gone
    FROM _mcp_servers
    GROUP BY source_id, server
), calls AS (
    SELECT source_id, conversation_id, message_id, call_index, mcp_server, mcp_tool, mcp_server_source, deleted_at IS NOT NULL AS is_deleted, regexp_replace(name, '^mcp[-_]', '', 'i') AS rest
    FROM tool_calls
    WHERE mcp_server_source IN ('name', 'known')
), names AS (
    SELECT DISTINCT source_id, rest, is_deleted FROM calls
), best AS (
    -- among names that differ only in case, the one that is written as in the call
    SELECT n.source_id, n.rest, n.is_deleted, arg_max(k.server, (length(k.server), starts_with(n.rest, k.server), k.server)) AS server
    FROM names n
    JOIN known k ON k.source_id = n.source_id AND (n.is_deleted OR NOT k.is_gone)
    WHERE starts_with(lower(n.rest), lower(k.server)) AND length(n.rest) > length(k.server) + 1 AND substr(n.rest, length(k.server) + 1, 1) IN ('-', '_')
    GROUP BY n.source_id, n.rest, n.is_deleted
), found AS (
    SELECT n.source_id, n.rest, n.is_deleted, coalesce(b.server, regexp_extract(n.rest, '^[^-_]+')) AS server,
           CASE WHEN b.server IS NULL THEN 'name' ELSE 'known' END AS source
    FROM names n
    LEFT JOIN best b ON b.source_id = n.source_id AND b.rest = n.rest AND b.is_deleted = n.is_deleted
)
SELECT c.source_id, c.conversation_id, c.message_id, c.call_index, f.server, f.source, nullif(substr(c.rest, length(f.server) + 2), '') AS tool
FROM calls c
JOIN found f ON f.source_id = c.source_id AND f.rest = c.rest AND f.is_deleted = c.is_deleted
WHERE (c.mcp_server, c.mcp_tool, c.mcp_server_source) IS DISTINCT FROM (f.server, nullif(substr(c.rest, length(f.server) + 2), ''), f.source);

UPDATE tool_calls AS t
SET mcp_server = n.server, mcp_tool = n.tool, mcp_server_source = n.source
FROM _mcp_calls n
WHERE n.source_id = t.source_id AND n.conversation_id = t.conversation_id AND n.message_id = t.message_id AND n.call_index = t.call_index;

INSERT INTO _recalled SELECT DISTINCT 'tool_calls', conversation_id FROM _mcp_calls;

DROP TABLE _mcp_calls;
