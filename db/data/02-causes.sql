-- Causes of transfers, and the house accounts on their other side. Existing rows are kept.

INSERT INTO causes (cause, about) VALUES
    ('welcome',     'chips of a new account'),
    ('stake',       'a stake held when a seat is taken; as a house account: stakes that were lost'),
    ('refund',      'a held stake given back'),
    ('settle',      'a finished game: stakes and reward'),
    ('reward',      'rewards of won games'),
    ('level',       'reward for reaching a level'),
    ('over_cap',    'silver lost because the purse was full'),
    ('grant',       'given or taken by an operator'),
    ('daily',       'the daily bonus'),
    ('league',      'prizes of leagues'' seasons'),
    ('month',       'prizes of monthly leaderboards'),
    ('achievement', 'rewards of achievements'),
    ('quest',       'rewards of weekly quests'),
    ('invite',      'rewards of invitations'),
    ('entry',       'paid to enter a tournament'),
    ('entry_back',  'an entry into a tournament given back'),
    ('prize',       'prizes of tournaments'),
    ('forfeit',     'chips that were left in an account when it was deleted'),
    ('shop',        'gold bought'),
    ('shop_back',   'gold taken back for a refund or charge-back, or given again when a dispute was won')
ON CONFLICT DO NOTHING;

-- The causes excluded here move chips only between players and pots, so they need no house accounts.
INSERT INTO accounts (kind, currency, cause)
SELECT 'house', u.currency, c.cause
FROM causes c CROSS JOIN (VALUES ('silver'), ('gold')) AS u (currency)
WHERE c.cause NOT IN ('refund', 'settle', 'entry', 'entry_back', 'prize')
  AND NOT EXISTS (SELECT FROM accounts a
                  WHERE a.kind = 'house' AND (a.cause, a.currency) = (c.cause, u.currency))
ORDER BY c.cause, u.currency;
