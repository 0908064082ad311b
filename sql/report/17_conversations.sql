-- On which days was there work in each conversation, and which tools and models had a part in it?
-- One row per day (in the reader's TimeZone) and live conversation that has a message of that day (by its best known time), an event that Cursor counted or an estimate, or that began
-- on it (as in report.activity). Subagents and best-of-N copies are rows of their own. started_at is when the conversation began (created, else first message, else last update), the same in
-- each of its rows. tools are those that messages of the day called, models those that its messages name, billed_models those of the day's events and estimates, which belong to the
-- conversation for which subagents worked; each list has a name once. title is display_title; the report page shows it unless it is asked not to.
-- Coverage: a list is NULL where no call, message or event of the day names one; day is NULL for what carries no time at all.
CREATE OR REPLACE VIEW report.conversations AS
WITH live AS (
    SELECT source_id, conversation_id, project_uri, project, display_title AS title, is_subagent, coalesce(created_at, first_message_at, updated_at) AS started_at
    FROM main.live_conversations
    WHERE message_count > 0 OR missing_message_count > 0
), sent AS (
    SELECT source_id, conversation_id, CAST(created_at AS DATE) AS day, count(*) AS messages, list(DISTINCT model ORDER BY model) FILTER (WHERE model IS NOT NULL) AS models
    FROM main.messages
    WHERE deleted_at IS NULL
    GROUP BY ALL
), called AS (
    SELECT source_id, conversation_id, CAST(created_at AS DATE) AS day, list(DISTINCT coalesce(tool, '(unnamed)') ORDER BY coalesce(tool, '(unnamed)')) AS tools
    FROM main.live_tool_calls
    GROUP BY ALL
), billed AS (
    SELECT source_id, root_conversation_id AS conversation_id, CAST(occurred_at AS DATE) AS day, list(DISTINCT model ORDER BY model) FILTER (WHERE model IS NOT NULL) AS billed_models
    FROM main.all_usage
    WHERE root_conversation_id IS NOT NULL
    GROUP BY ALL
), days AS (
    SELECT source_id, conversation_id, day, max(messages) AS messages, any_value(tools) AS tools, any_value(models) AS models, any_value(billed_models) AS billed_models
    FROM (
        FROM sent
        UNION ALL BY NAME
        FROM called
        UNION ALL BY NAME
        FROM billed
        UNION ALL BY NAME
        SELECT source_id, conversation_id, CAST(started_at AS DATE) AS day FROM live WHERE started_at IS NOT NULL
    )
    GROUP BY ALL
)
SELECT d.day, l.project_uri, l.project, l.source_id, l.conversation_id, l.title, l.is_subagent, l.started_at, coalesce(d.messages, 0) AS messages, d.tools, d.models, d.billed_models
FROM days d
JOIN live l ON l.source_id = d.source_id AND l.conversation_id = d.conversation_id;
COMMENT ON VIEW report.conversations IS 'Each live conversation per day of work, with the tools and models of the day; a list is NULL where nothing names one.';
