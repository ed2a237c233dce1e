/* Games and seasons without playing them: played by the program's bots, or written to the database as a
 * node would do it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILD } from './server.mjs';

/** The record of a session played by the program's bots; the same seed gives the same session. */
export function simulated(variant, players, seed = 1) {
  const folder = mkdtempSync(join(tmpdir(), 'rummyd-played-'));
  try {
    const file = join(folder, 'record.txt');
    const seats = Array(players).fill('medium').join();
    execFileSync(
      join(BUILD, 'rummyd'),
      [
        'simulate',
        '--variant',
        variant,
        '--games',
        '1',
        '--seats',
        seats,
        '--seed',
        String(seed),
        '--record',
        file,
      ],
      { stdio: 'ignore' },
    );
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A game of these two in the Desert, won by the first, settled as a node would settle it. It gets a new
 * table, because the room's queue could seat them at different tables, or at one that another test file left
 * waiting on the server. */
export function settleGame(platform, winner, loser, record = 'the record') {
  platform.sql(`DO $do$
    DECLARE
      v_epoch bigint := (SELECT epoch FROM do_node_start('elsewhere'));
      v_room rooms := (SELECT r FROM rooms r WHERE id = 'desert');
      v_table tables;
      v_codes text[];
    BEGIN
      DELETE FROM node_leases WHERE node = 'elsewhere'; -- the upkeep of the server must not take it for a node that has died
      SELECT * INTO STRICT v_table
      FROM open_room_tables(v_room, 'elsewhere', ARRAY[decode(repeat('73', 32), 'hex')], ARRAY[decode(repeat('00', 32), 'hex')]);
      PERFORM seat_player(id, v_table) FROM unnest(ARRAY[${winner}, ${loser}]::bigint[]) WITH ORDINALITY u (id, n) ORDER BY n;
      v_codes := ARRAY(SELECT DISTINCT code FROM do_start_batch(ARRAY[v_table.id], v_epoch, ARRAY['Otto', 'Ida', '', '', '', ''], ARRAY[1],
                                                                array_fill(''::bytea, ARRAY[6])));
      ASSERT v_codes = '{ok}', 'not started: ' || v_codes::text;
      v_codes := ARRAY(SELECT DISTINCT code FROM do_settle_batch(ARRAY[v_table.id], v_epoch, '{out}', ARRAY(SELECT jsonb_agg(jsonb_build_object(
        'seat', n, 'place', n + 1, 'points', 10 * n, 'opened', n < 2, 'cards_left', n, 'rummy', n = 0, 'left', false))
        FROM generate_series(0, 3) n), ARRAY[$rec$${record}$rec$]));
      ASSERT v_codes = '{ok}', 'not settled: ' || v_codes::text;
    END $do$`);
}

/** Two guests with these names, and a game that they played with two bots, won by the first; returns its
 * number and both guests. */
export async function gameOf(platform, nicknames, record) {
  const guests = [];
  for (const nickname of nicknames) {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${platform.url}/v1/auth/guest`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ nickname }),
    });
    guests.push(await answer.json());
  }
  settleGame(platform, guests[0].player.id, guests[1].player.id, record);
  const mine = await fetch(`${platform.url}/v1/games`, {
    headers: { Authorization: `Bearer ${guests[0].access_token}` },
  });
  return { id: (await mine.json()).items[0].id, guest: guests[0], other: guests[1] };
}

/** Games that count for the season and for the boards, without playing them. */
export function grow(platform, player, games, rating) {
  const points = (games * rating) / 100;
  platform.sql(`
    UPDATE players SET level = 6 WHERE id = ${player};
    INSERT INTO league_members SELECT ${player}, 1, no FROM seasons WHERE state = 'open' ON CONFLICT DO NOTHING;
    DELETE FROM league_games WHERE player_id = ${player};
    INSERT INTO league_games SELECT no, ${player}, 1, ${games}, ${points}, 3 FROM seasons WHERE state = 'open';
    SELECT make_league_rows(no, ARRAY[${player}]::bigint[]) FROM seasons WHERE state = 'open';
    DELETE FROM ratings WHERE player_id = ${player};
    INSERT INTO ratings (player_id, variant, period, games, points, wins, rummies, rating, clover)
    SELECT ${player}, 'rummy51', p, ${games}, ${points}, 3, 1, rating_of(${points}, ${games}, 10000, 100), 500
    FROM unnest(ARRAY['all', to_char(local_day(now()), 'YYYY-MM')]) p`);
}

/** Ends the season's time; a job then closes it. */
export function seasonIsOver(platform) {
  platform.sql(
    "UPDATE seasons SET starts_at = starts_at - interval '15 days', ends_at = ends_at - interval '15 days'",
  );
}
