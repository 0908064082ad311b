-- What did each commit cost?
-- One row per commit to which conversations led (pipeline run --git), the latest first. A turn counts for the first commit after its prompt of those that its conversation led to, and so do
-- the turns of its subagents: no turn counts for two commits. A conversation leads to a commit if it was active before it (--commit-window) and touched a file of it, or the
-- commit's files are not known (table conversation_commits). Turns without a time count for none.
-- cache_share is the part of the input that was read from the cache. Costs are US cents: cost_cents is what the tokens are worth, whether paid or included in the plan; charged_cents is what
-- was charged.
-- Coverage: of the events, with_tokens record their tokens and with_cost their cost. estimated_turns counts turns without a known event; of these, estimated_with_cost have an estimated cost.
-- Estimated tokens and costs are only in the columns with estimated in their names; conversations and models cover both events and estimates. An event may be known, but not the
-- turn that it belongs to: then the turn may have an estimate, too.
-- Total: cost_cents, charged_cents, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, events, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_commit AS
WITH links AS (
    SELECT conversation_id, repository_id, commit_hash, committed_at, max(relevance) AS relevance
    FROM main.conversation_commits
    WHERE relevance IS DISTINCT FROM 0
    GROUP BY conversation_id, repository_id, commit_hash, committed_at
), used AS (
    SELECT u.*, coalesce(m.created_at, u.occurred_at) AS asked_at
    FROM main.all_usage u
    LEFT JOIN main.messages m ON m.source_id = u.source_id AND m.conversation_id = u.conversation_id AND m.message_id = u.message_id
), placed AS (
    SELECT u.*, l.repository_id, l.commit_hash, row_number() OVER (PARTITION BY u.event_id, u.source_id, u.conversation_id, u.message_id
               ORDER BY l.committed_at, l.relevance DESC NULLS LAST, l.repository_id, l.commit_hash) AS nth
    FROM used u
    JOIN links l ON l.conversation_id = u.root_conversation_id AND l.committed_at >= u.asked_at
), sums AS (
    SELECT repository_id, commit_hash,
           round(sum(cost_cents), 4) AS cost_cents, round(sum(charged_cents), 4) AS charged_cents,
           round(sum(cache_read_tokens) FILTER (WHERE fresh_input_tokens IS NOT NULL AND cache_write_tokens IS NOT NULL)
               / nullif(sum(CAST(fresh_input_tokens AS DOUBLE) + cache_write_tokens + cache_read_tokens), 0), 4) AS cache_share,
           TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(fresh_input_tokens) AS BIGINT) AS fresh_input_tokens, TRY_CAST(sum(cache_write_tokens) AS BIGINT) AS cache_write_tokens,
           TRY_CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
           TRY_CAST(sum(estimated_input_tokens) AS BIGINT) AS estimated_input_tokens, TRY_CAST(sum(estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
           count(DISTINCT conversation_id) AS conversations, string_agg(DISTINCT model, ', ' ORDER BY model) AS models,
           count(estimated_cost_cents) AS estimated_with_cost, count(coalesce(fresh_input_tokens, output_tokens)) AS with_tokens,
           count(event_id) AS events, count(cost_cents) AS with_cost, count(estimate_method) AS estimated_turns, round(sum(estimated_cost_cents), 4) AS estimated_cost_cents
    FROM placed
    WHERE nth = 1
    GROUP BY repository_id, commit_hash
), made AS (
    SELECT repository_id, commit_hash, any_value(subject) AS subject, any_value(author_name) AS author_name, min(authored_at) AS made_at
    FROM main.commits
    GROUP BY repository_id, commit_hash
)
SELECT c.made_at, left(c.commit_hash, 10) AS commit, c.subject, s.cost_cents, c.author_name, c.repository_id, c.commit_hash, s.* EXCLUDE (repository_id, commit_hash, cost_cents)
FROM sums s
JOIN made c ON c.repository_id = s.repository_id AND c.commit_hash = s.commit_hash
ORDER BY c.made_at DESC, c.repository_id, c.commit_hash;
COMMENT ON VIEW answers.billed_by_commit IS 'Tokens and cost that Cursor counted for the turns that led to each commit, each turn once. Estimates stand apart.';
