-- As many friends as their leaderboard can be shown for within five milliseconds, whichever page of it (docs/benchmarks.md): each is a look-up more. An operator
-- who has chosen another number keeps it.
UPDATE settings SET value = '200' WHERE name = 'friends_max' AND value = '500';
