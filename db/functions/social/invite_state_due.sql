CREATE OR REPLACE FUNCTION invite_state_due(p_invited bigint, p_inviter bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN NOT is_proved(p_invited)
             OR opponents_met_n(p_invited) < setting_int('invite_opponents') THEN 'open'
        WHEN (SELECT count(*) FROM invites WHERE inviter_id = p_inviter AND state = 'paid')
             >= setting_int('invites_paid_max') THEN 'over'
        WHEN (WITH RECURSIVE above (id, n) AS (
                  SELECT p_inviter, 0 UNION ALL
                  SELECT i.inviter_id, a.n + 1 FROM above a JOIN invites i ON i.invited_id = a.id
                  WHERE a.n < setting_int('invite_chain_max'))
              SELECT max(n) FROM above) >= setting_int('invite_chain_max') THEN 'over'
        ELSE 'paid' END
$$;

COMMENT ON FUNCTION invite_state_due IS
'Next state of an open invitation whose player has taken part in enough rated games: open, if they have not
met enough other players in them or are no longer confirmed; over, if the inviter has reached the paid maximum
or is at the end of a chain of invite_chain_max invitations; otherwise paid.
Called by do_counts_due.';
