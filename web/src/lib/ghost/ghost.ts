/* Replays a finished game's deal in one of its seats: docs/analysis.md defines the comparison. Pure. The
 * engine deals and plays. */
import type { Engine, Level, RecordHand } from '@rummyd/engine';
import { LocalSession, type Entry, type LocalSetting } from '$lib/local/session';
import { dealsOf, type Deal } from '$lib/replay/deals';
import { Follow } from './follow';

/** Sessions with more hands take too long, so only one of their hands is played. */
const HANDS_MAX = 3;

/** Hands to play in this seat, in order; empty: the seat has no finished hand. hand: number (in the record)
 * of the hand that was chosen from a longer session. */
export function planOf(engine: Engine, text: string, seat: number, hand: number): Deal[] {
  const deals = dealsOf(engine, text, seat).filter(({ left }) => !left);
  if (deals.length <= HANDS_MAX) return deals;
  return [deals.find((deal) => deal.hand.hand_no === hand) ?? deals[0]].filter((deal) => deal !== undefined);
}

/** Bots play at the recorded level; in place of players, they play at `strong`. */
export function levelsOf(hand: RecordHand): Level[] {
  return hand.seats.map(({ kind }) => {
    const level = /^bot (easy|medium|strong|master)$/.exec(kind)?.[1];
    return (level as Level | undefined) ?? 'strong';
  });
}

export interface Ghost {
  session: LocalSession;
  follow: Follow;
}

export interface Seated {
  text: string;
  deal: Deal;
  seat: number;
  /** By seat, with the player's own name in their seat. */
  names: readonly string[];
  avatars: readonly string[];
}

/** Starts the deal, or continues it after the moves of an earlier visit. Throws an EngineError if these are
 * invalid. */
export function begin(
  engine: Engine,
  { text, deal, seat, names, avatars }: Seated,
  log: readonly Entry[],
): Ghost {
  const { hand, number } = deal;
  const replay = engine.record.replay(text, number);
  const setting: LocalSetting = {
    variant: hand.variant,
    names,
    avatars,
    me: seat,
    level: 'strong',
    levels: levelsOf(hand),
    once: { commit: hand.commit ?? '' },
    tableId: '',
  };
  const session = new LocalSession(engine, setting, replay.game.copy());
  const follow = new Follow(replay, seat, session.game);
  for (const entry of log) {
    if (!('move' in entry)) continue;
    if (entry.seat !== seat) follow.botMove(entry.seat);
    session.act(entry.seat, entry.move);
    follow.moved(entry.seat);
  }
  return { session, follow };
}

/** The record of the hand as it was played here. */
export function ownRecord(engine: Engine, { text, deal }: Seated, { session }: Ghost): string {
  return engine.record.anew(text, deal.number, session.game, session.people);
}
