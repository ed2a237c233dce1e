/* Plays one game of a variant against the server's bots: [RUMMYD_TOKEN=rbt_…] node dist/examples/bot.js URL VARIANT */
import { Player, Refused, Table, type LegalMove } from '@rummyd/client';

/** In order of preference; kinds not listed are never played. */
const LIKES = ['declare', 'group', 'meld', 'lay_off', 'draw', 'flip', 'discard', 'take_back'];

/** The first move of the preferred kind. The server lists good moves first, and the stock before the
 * discard pile. */
function choose(moves: LegalMove[]): LegalMove {
  const [best] = LIKES.flatMap((kind) => moves.filter((move) => move.t === kind));
  if (!best) throw new Error('there is nothing it may do');
  return best;
}

const [url = 'http://localhost:8080', variant = 'rummy51'] = process.argv.slice(2);
const token = process.env.RUMMYD_TOKEN; // a bot account's
const player = new Player(url, { token });
if (!token) await player.guest();
const seat = await player.openTable({
  variant,
  seats: 2,
  bots: 1,
  bot_level: 'easy',
  visibility: 'private',
});
const table = new Table(player.rest, seat);
while (await table.turn()) {
  try {
    await table.play(choose(await table.legal()));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message); // the turn timed out, for example
  }
}
table.close();
const place = table.settled?.seats[table.me ?? 0]?.place ?? 'unknown';
console.log(`${variant}: place ${place} after ${table.handNo} hands`);
