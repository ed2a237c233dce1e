/* A moment of a replay in the address: ?hand=2&turn=14&move=1&seat=1. As in records, hands and turns are
 * numbered from 1, seats from 0. Without `seat`, all hands are open. Turn 0, or no turn, is the deal.
 * Without `move`, it is the end of the turn. Pure. */

export interface Spot {
  hand: number;
  turn: number;
  move: number | null;
  seat: number | null;
}

function number(query: URLSearchParams, name: string, least: number, most: number): number | null {
  const text = query.get(name) ?? '';
  if (!/^\d{1,6}$/.test(text)) return null;
  const value = Number(text);
  return value >= least && value <= most ? value : null;
}

/** An invalid number is ignored. */
export function spotOf(search: string): Spot {
  const query = new URLSearchParams(search);
  return {
    hand: number(query, 'hand', 1, 1000) ?? 1,
    turn: number(query, 'turn', 0, 999_999) ?? 0,
    move: number(query, 'move', 1, 999_999),
    seat: number(query, 'seat', 0, 5),
  };
}

/** The query for a moment; empty for the first one. */
export function searchOf({ hand, turn, move, seat }: Spot): string {
  const query = new URLSearchParams();
  if (hand > 1) query.set('hand', String(hand));
  if (turn > 0) query.set('turn', String(turn));
  if (turn > 0 && move !== null) query.set('move', String(move));
  if (seat !== null) query.set('seat', String(seat));
  const text = query.toString();
  return text ? `?${text}` : '';
}
