-- What do people attach to their prompts, and how do such turns go?
-- One row per kind of attachment, most turns first, and one '(none)' for turns without any. It is correlation only: hard tasks get more attachments.
-- Coverage: failed_percent is over the tool calls that are known to have succeeded or failed, accepted_percent over the edits that were decided. A percentage of fewer than 20 says little.
CREATE OR REPLACE VIEW answers.attachments_effect_short AS
SELECT kind, turns, TRY_CAST(calls_per_turn AS DECIMAL(18, 1)) AS calls_each, TRY_CAST(failed / nullif(outcome_known, 0) * 100 AS DECIMAL(18, 1)) AS failed_percent, TRY_CAST(accepted / nullif(decided, 0) * 100 AS DECIMAL(18, 1)) AS accepted_percent
FROM answers.attachments_effect
ORDER BY turns DESC, kind;
COMMENT ON VIEW answers.attachments_effect_short IS 'How turns with each kind of attachment go.';
COMMENT ON COLUMN answers.attachments_effect_short.kind IS 'Kind of the attachment.';
COMMENT ON COLUMN answers.attachments_effect_short.turns IS 'Turns whose prompt has one.';
COMMENT ON COLUMN answers.attachments_effect_short.calls_each IS 'Tool calls of a turn, on average.';
COMMENT ON COLUMN answers.attachments_effect_short.failed_percent IS 'Failed of the tool calls that are known to have succeeded or failed, in percent.';
COMMENT ON COLUMN answers.attachments_effect_short.accepted_percent IS 'Accepted of the decided edits, in percent.';
