-- The claim of the lowest rank that names a parent gives it; of equal ranks the smaller parent id.
INSERT INTO conversations (conversation_id, created_at) VALUES
    ('p1', '2025-03-10 09:00:00+00'), ('p2', '2025-03-10 09:00:00+00'), ('p3', '2025-03-10 09:00:00+00'),
    ('by info', NULL), ('by table', NULL), ('by table and parent', NULL), ('by two parents', NULL), ('itself', NULL),
    ('cycle a', NULL), ('cycle b', NULL), ('below the cycle', NULL);
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('by info', 'by info', 0, 'p3'),
    ('by info', 'by info', 1, 'p2'),
    ('by info', 'p1', 2, 'p1'),
    ('by table', 'by table', 1, NULL),
    ('by table and parent', 'by table and parent', 1, NULL),
    ('by table and parent', 'p2', 2, 'p2'),
    ('by two parents', 'p2', 2, 'p2'),
    ('by two parents', 'p1', 2, 'p1'),
    ('itself', 'itself', 2, 'itself'),
    ('cycle a', 'cycle b', 2, 'cycle b'),
    ('cycle b', 'cycle a', 2, 'cycle a'),
    ('below the cycle', 'cycle a', 2, 'cycle a'),
    ('not in any store', 'p1', 2, 'p1');
