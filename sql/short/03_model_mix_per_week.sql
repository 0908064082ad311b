-- Which model gave most of the answers in each week?
-- One row per week (its Monday, in the reader's TimeZone), the latest first. top_percent is the model's part of the answers that name a model. Every model of a week is in model_mix_per_week.
-- Coverage: known counts the answers that name their model; top_model is NULL where none does. A percentage of fewer than 20 says little.
CREATE OR REPLACE VIEW answers.model_mix_per_week_short AS
SELECT week, any_value(total) AS answers, any_value(known) AS known,
       arg_max(model, (share, model)) FILTER (WHERE share > 0) AS top_model,
       TRY_CAST(max(answers) FILTER (WHERE share > 0) / nullif(any_value(known), 0) * 100 AS DECIMAL(18, 1)) AS top_percent
FROM answers.model_mix_per_week
WHERE week IS NOT NULL
GROUP BY week
ORDER BY week DESC;
COMMENT ON VIEW answers.model_mix_per_week_short IS 'The model with most answers per week.';
COMMENT ON COLUMN answers.model_mix_per_week_short.week IS 'Monday of the week.';
COMMENT ON COLUMN answers.model_mix_per_week_short.answers IS 'Answers of the week.';
COMMENT ON COLUMN answers.model_mix_per_week_short.known IS 'Answers that name their model.';
COMMENT ON COLUMN answers.model_mix_per_week_short.top_model IS 'The model that gave most of the answers.';
COMMENT ON COLUMN answers.model_mix_per_week_short.top_percent IS 'Its part of the answers that name a model, in percent.';
