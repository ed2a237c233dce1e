-- Friends are read by the index that begins with the one asked about, whatever the planner knows of the table. For an empty one all indexes cost the same, and a
-- plan made then was kept: who had asked the reader was looked for in the whole of the other index, once friends were many. A range that is wanted in order has
-- but one index that gives it.
CREATE OR REPLACE FUNCTION friends_of(p_player bigint) RETURNS SETOF bigint
    LANGUAGE sql STABLE AS $$
    (SELECT to_id FROM friends WHERE from_id BETWEEN p_player AND p_player AND accepted_at IS NOT NULL ORDER BY from_id)
    UNION ALL (SELECT from_id FROM friends WHERE to_id BETWEEN p_player AND p_player AND accepted_at IS NOT NULL ORDER BY to_id)
$$;
