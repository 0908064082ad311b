-- Which prompts led to this commit?
-- One row per commit, conversation that was active before it (conversation_commits), and prompt: the user's messages with a recorded time in the window
-- before the commit (--commit-window), else the last one before it; messages that a fork repeats are left out. Latest commit first, then the most relevant conversation. relevance is the share
-- of the commit's files that the conversation had touched; edited_files of shared_files it had edited. made_at is when the change was made, which a
-- rebase keeps. Conversations that Cursor has deleted since are among them. A commit without a conversation has no row: commit_share counts them.
-- Coverage: prompt_at and prompt are NULL where no prompt with a recorded time is known; relevance is NULL where the commit's files are not.
CREATE OR REPLACE VIEW answers.commit_prompts AS
WITH setting AS (
    SELECT greatest(least(coalesce(max(TRY_CAST(value AS BIGINT)), 1800000), 4102444800000), 0) AS window_ms FROM internal._meta WHERE key = 'commit_window_ms'
), sent AS (
    SELECT m.source_id, m.conversation_id, m.message_id, m.position, m.created_at, m.text
    FROM main.messages m
    SEMI JOIN main.conversation_commits l ON l.source_id = m.source_id AND l.conversation_id = m.conversation_id
    WHERE m.role = 'user' AND NOT m.is_simulated AND NOT m.is_repeat AND m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
), prompts AS (
    SELECT l.source_id, l.conversation_id, l.repository_id, l.commit_hash, l.commit_source_id, s.message_id, s.position, s.created_at, s.text
    FROM main.conversation_commits l
    CROSS JOIN setting w
    JOIN sent s ON s.source_id = l.source_id AND s.conversation_id = l.conversation_id AND s.created_at <= l.committed_at
    QUALIFY epoch_ms(s.created_at) >= epoch_ms(l.committed_at) - w.window_ms
        OR row_number() OVER (PARTITION BY l.source_id, l.conversation_id, l.repository_id, l.commit_hash, l.commit_source_id ORDER BY s.created_at DESC, s.message_id) = 1
)
SELECT c.repository_id, c.commit_hash, left(c.commit_hash, 10) AS commit, c.subject, c.author_name, l.committed_at AS made_at,
       k.source_id, k.conversation_id, k.project, k.display_title AS title, l.relevance, l.shared_files, l.edited_files, c.files_changed, l.gap_ms,
       p.message_id, p.created_at AS prompt_at, p.text AS prompt
FROM main.conversation_commits l
JOIN main.commits c ON c.source_id = l.commit_source_id AND c.repository_id = l.repository_id AND c.commit_hash = l.commit_hash
JOIN main.conversations k ON k.source_id = l.source_id AND k.conversation_id = l.conversation_id
LEFT JOIN prompts p ON p.source_id = l.source_id AND p.conversation_id = l.conversation_id AND p.repository_id = l.repository_id
    AND p.commit_hash = l.commit_hash AND p.commit_source_id = l.commit_source_id
ORDER BY l.committed_at DESC, c.repository_id, c.commit_hash, l.relevance DESC NULLS LAST, l.edited_files DESC, k.source_id, k.conversation_id, p.created_at, p.position, p.message_id;
COMMENT ON VIEW answers.commit_prompts IS 'Commits with the conversations that were active before them, and their prompts; NULL in prompt is one that is not known.';
