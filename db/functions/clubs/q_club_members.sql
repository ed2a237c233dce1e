CREATE OR REPLACE FUNCTION q_club_members(p_reader bigint, p_club bigint, p_rank bigint, p_after bigint,
                                          p_unused bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    v_owns boolean := EXISTS (SELECT 1 FROM club_members
                              WHERE club_id = p_club AND player_id = p_reader AND role = 'owner');
BEGIN
    RETURN QUERY SELECT CASE WHEN EXISTS (SELECT 1 FROM clubs WHERE id = p_club) THEN 'ok'
                             ELSE 'no_such_club' END, '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    RETURN QUERY
    SELECT 'ok', jsonb_build_object('player_id', p.id::text, 'nickname', p.nickname, 'avatar', p.avatar,
                                    'title', (SELECT l.title FROM levels l WHERE l.level = p.level),
                                    'role', m.role, 'at', rfc3339(m.at))::text, m.rank, m.player_id, 0::bigint
    FROM (SELECT player_id, role, at,
                 CASE role WHEN 'asks' THEN 0 WHEN 'owner' THEN 1 ELSE 2 END::bigint AS rank
          FROM club_members
          WHERE club_id = p_club AND (role <> 'asks' OR v_owns OR player_id = p_reader)) m
    JOIN players p ON p.id = m.player_id
    WHERE p_after IS NULL OR (m.rank, m.player_id) > (p_rank, p_after)
    ORDER BY m.rank, m.player_id LIMIT p_limit;
END $$;

COMMENT ON FUNCTION q_club_members IS
'A page of a club''s players after (p_rank, p_after): pending requests (rank 0), the owner (1), and members
(2), each by id; the first row is the head. The owner sees pending requests, and each requester their own.
Refusals: no_such_club.
Called by api.';
