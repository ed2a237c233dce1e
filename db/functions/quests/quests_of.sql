CREATE OR REPLACE FUNCTION quests_of(p_week date) RETURNS SETOF quests
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT DISTINCT ON (q.slot) q.* FROM quests q WHERE q.on_offer
    ORDER BY q.slot, md5((p_week - date '2024-01-01') || ':' || q.id), q.id;
END $$;

COMMENT ON FUNCTION quests_of IS
'The quests of the week that begins on this Monday: for each slot, the one with the smallest hash of quest
and week. They are thus the same on every server and need no job, and adding or removing a quest affects a
week only if its hash is the smallest.
Called by add_to_quests, count_quests, q_quests.';
