-- Where did someone have to say the same thing three times or more?
-- One row per run of at least 3 similar prompts in a row in one conversation, the longest run first. Prompts are the user's messages with text,
-- in the conversation's order; messages that no header names (answers that were thrown away) are passed over, unless the conversation lists none, and so are those that a fork repeats.
-- Two prompts are similar when the words of their first 500 characters, in lower case and each counted once, have a Jaccard index of at least
-- 0.6: the words that both have, divided by the words that either has. A word is what stands between spaces, line ends,
-- brackets, quotes and . , ; : ! ? * # / \ | = + -; prompts without any are similar when they are equal. Text without spaces between its words
-- (Chinese, Japanese) is one word a sentence, so there only equal sentences count.
-- A run goes on as long as each prompt is similar to the one before it. Repeated "go on" is found too: first_prompt and last_prompt tell.
-- tool_calls and failed_calls are those of the messages from the first prompt of the run to its last: what was tried in between.
-- Coverage: of the prompts, times_known have a recorded time (duration_ms needs both ends); of the tool_calls, outcome_known are known to have succeeded or failed.
CREATE OR REPLACE VIEW answers.reprompt_loops AS
WITH prompts AS (
    SELECT m.source_id, m.conversation_id, m.message_id, m.position, left(m.text, 500) AS head,
           -- the space at the end puts one empty word into every list: it is taken off below
           list_distinct(string_split(translate(lower(head), e'.,;:!?()[]{}<>"\'`*#/\\|=+-\n\r\t', repeat(' ', 30)) || ' ', ' ')) AS words,
           CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN m.created_at END AS prompt_at
    FROM main.messages m
    JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.role = 'user' AND NOT m.is_simulated AND m.kind = 'text' AND m.deleted_at IS NULL AND NOT m.is_repeat AND (m.is_listed OR c.header_count = 0)
), before AS (
    SELECT *, lag(words) OVER in_order AS words_before, lag(head) OVER in_order AS head_before
    FROM prompts
    WINDOW in_order AS (PARTITION BY source_id, conversation_id ORDER BY position)
), compared AS (
    SELECT source_id, conversation_id, message_id, position, head, prompt_at,
           CASE WHEN head_before IS NULL THEN NULL
                WHEN len(words) = 1 AND len(words_before) = 1 THEN TRY_CAST(head = head_before AS INTEGER)
                -- sets of too different a size cannot be similar: most pairs need no comparison
                WHEN least(len(words), len(words_before)) - 1 < 0.6 * (greatest(len(words), len(words_before)) - 1) THEN 0
                ELSE (len(list_intersect(words, words_before)) - 1)
                     / (len(words) + len(words_before) - len(list_intersect(words, words_before)) - 1) END AS similarity
    FROM before
), numbered AS (
    SELECT *, count(CASE WHEN similarity IS NULL OR similarity < 0.6 THEN 1 END) OVER (PARTITION BY source_id, conversation_id
        ORDER BY position ROWS UNBOUNDED PRECEDING) AS run_no
    FROM compared
), runs AS (
    SELECT source_id, conversation_id,
           count(*) AS prompts,
           round(min(similarity) FILTER (WHERE similarity >= 0.6), 4) AS least_similarity,
           min(position) AS first_position,
           max(position) AS last_position,
           arg_min(message_id, position) AS first_message_id,
           count(prompt_at) AS times_known,
           min(prompt_at) AS started_at,
           epoch_ms(arg_max(struct_pack(at := prompt_at), position).at) - epoch_ms(arg_min(struct_pack(at := prompt_at), position).at) AS span_ms,
           arg_min(left(head, 200), position) AS first_prompt,
           arg_max(left(head, 200), position) AS last_prompt
    FROM numbered
    GROUP BY source_id, conversation_id, run_no
    HAVING count(*) >= 3
), tried AS (
    SELECT r.source_id, r.conversation_id, r.first_position,
           count(*) AS tool_calls, count(t.is_error) AS outcome_known, count(*) FILTER (WHERE t.is_error) AS failed_calls
    FROM runs r
    JOIN main.live_tool_calls t ON t.source_id = r.source_id AND t.conversation_id = r.conversation_id AND t.position BETWEEN r.first_position AND r.last_position
    GROUP BY ALL
)
SELECT r.source_id, c.project_uri, c.project, r.conversation_id, c.display_title AS title, r.first_message_id, r.first_position, r.last_position,
       r.prompts, r.least_similarity, r.times_known, r.started_at, CASE WHEN r.span_ms >= 0 THEN r.span_ms END AS duration_ms,
       coalesce(t.tool_calls, 0) AS tool_calls, coalesce(t.outcome_known, 0) AS outcome_known, coalesce(t.failed_calls, 0) AS failed_calls,
       r.first_prompt, r.last_prompt
FROM runs r
JOIN main.live_conversations c ON c.source_id = r.source_id AND c.conversation_id = r.conversation_id
LEFT JOIN tried t ON t.source_id = r.source_id AND t.conversation_id = r.conversation_id AND t.first_position = r.first_position
ORDER BY r.prompts DESC, r.least_similarity DESC, r.started_at DESC NULLS LAST, r.source_id, r.conversation_id, r.first_position;
COMMENT ON VIEW answers.reprompt_loops IS 'Runs of 3 or more similar prompts in a row; of the prompts, times_known have a recorded time.';
