/* The player's running games, in the order in which the page lists them. Pure. */
import type { MyTable } from '$lib/api/client';
import { say } from '$lib/messages/messages';
import { rulesOf } from '$lib/rules/rules';
import { moment } from '$lib/ui/time';

/** Whether a correspondence table is waiting for this player. */
export const isYourTurn = ({ turn, seat }: MyTable) => turn !== null && turn.seats.includes(seat);

/** Live clocks first, then correspondence turns of the player (earliest deadline first), then the rest. */
export function inOrder(tables: readonly MyTable[]): MyTable[] {
  const rank = (table: MyTable) => (table.turn_hours === null ? 0 : isYourTurn(table) ? 1 : 2);
  const ends = ({ turn }: MyTable) => Date.parse(turn?.ends_at ?? '9999-01-01');
  return [...tables].sort((a, b) => rank(a) - rank(b) || ends(a) - ends(b));
}

export function runningSaid(table: MyTable): { title: string; text: string } {
  const about = { game: rulesOf(table.variant).name, table: table.table_id };
  const which = say('rooms.waiting.about', about);
  const where = table.tournament ? `${table.tournament.name} · ${which}` : which;
  if (table.state === 'lost') return { title: say('rooms.lost'), text: say('rooms.lost.about', about) };
  if (table.state === 'waiting' && table.turn_hours !== null)
    return { title: say('running.fills'), text: where };
  if (!table.turn) return { title: say('rooms.waiting'), text: where };
  const { ends_at: at } = table.turn;
  const until = at ? say('running.until', { at: moment(at) }) : say('running.stopped');
  const title = isYourTurn(table) ? say('running.yours') : say('running.theirs');
  return { title, text: `${where} · ${until}` };
}
