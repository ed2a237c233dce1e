CREATE OR REPLACE FUNCTION ledger_line_strange(p_cause text, p_kind text, p_house text, p_amount bigint)
    RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT CASE p_kind
        WHEN 'house' THEN
            NOT CASE p_cause WHEN 'settle' THEN p_house IN ('stake', 'reward', 'over_cap')
                             WHEN 'stake' THEN false ELSE p_house IN (p_cause, 'over_cap') END
            OR CASE WHEN p_house IN ('stake', 'over_cap', 'forfeit') THEN p_amount < 0
                    WHEN p_house IN ('grant', 'shop_back') THEN false ELSE p_amount > 0 END
        WHEN 'hold' THEN
            p_cause NOT IN ('stake', 'refund', 'settle') OR (p_amount > 0) <> (p_cause = 'stake')
        WHEN 'pot' THEN p_cause NOT IN ('entry', 'entry_back', 'prize')
            OR (p_amount > 0) <> (p_cause = 'entry')
        ELSE p_cause IN ('stake', 'refund', 'forfeit', 'entry', 'entry_back')
            AND (p_amount > 0) <> (p_cause IN ('refund', 'entry_back')) END
$$;

COMMENT ON FUNCTION ledger_line_strange IS
'Whether a transfer of this cause has no such line: a stake goes from the purse to a hold, a
refund the way back, an entry from the purse to a pot, from where entries go back and prizes come, a reward
comes from the house account of its cause and from no other, what is forfeited goes there. Which table a hold
is for is ledger_check_tables'' to see.
Called by ledger_check_transfers.';
