CREATE OR REPLACE FUNCTION q_me(p_player bigint)
    RETURNS TABLE (id bigint, nickname text, avatar text, kind text, level integer, title text,
                   clover_points bigint, level_points bigint, level_points_needed bigint, rating integer,
                   rating_games bigint, created_at bigint, email_verified boolean,
                   rewards_withheld boolean, deletion_due_at bigint,
                   nickname_changes_at bigint, language text)
    LANGUAGE sql STABLE AS $$
    SELECT p.id, p.nickname, p.avatar, p.kind, p.level, l.title, p.clover_points, p.level_points,
           l.points_needed, r.rating, coalesce(r.games, 0), (extract(epoch FROM p.created_at) * 1000)::bigint,
           p.email_verified_at IS NOT NULL,
           EXISTS (SELECT FROM withheld_players w WHERE w.player_id = p.id),
           (extract(epoch FROM d.due_at) * 1000)::bigint,
           (extract(epoch FROM name_changes_at(p)) * 1000)::bigint, p.language
    FROM players p
    JOIN levels l ON l.level = p.level
    LEFT JOIN ratings r ON r.player_id = p.id AND r.variant = 'rummy51' AND r.period = 'all'
    LEFT JOIN deletions d ON d.player_id = p.id
    WHERE p.id = p_player AND p.deleted_at IS NULL
$$;

COMMENT ON FUNCTION q_me IS
'A player''s own profile. rating: all-time, in the first room''s variant. rewards_withheld: true until a way
to sign in is confirmed. deletion_due_at: when the account will be deleted; NULL: no deletion is scheduled.
nickname_changes_at: when the nickname can be changed again; NULL: now. language: of their emails and
notifications.
Called by api, session_answer.';
