/* Checks hints in whole games of every variant: melds can be laid as listed, and a suggested discard is
 * legal and fits nothing. */
import { load, type Engine, type Game } from '@rummyd/engine';
import type { LegalMove, Snapshot } from '@rummyd/client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { isJoker, type Card } from '$lib/cards/cards';
import { isWild } from '$lib/rules/groups';
import { meldWorth } from '$lib/rules/melds';
import variants from '$lib/rules/variants.json';
import { hintOf, type Hint } from './hint';
import { fromSnapshot, isMyTurn, mySeat, wildOf, type TableState } from './state';

let engine: Engine;
beforeAll(async () => {
  engine = await load();
});
vi.mock('$lib/engine/engine', () => ({ theEngine: () => Promise.resolve(engine) }));

const TURNS_MAX = 300;
const ME = 0;

function stateOf(game: Game): TableState {
  const view = game.view(ME);
  const names = { player_id: '1', nick: 'P', avatar: '', on: true };
  const table = { id: '1', variant: view.variant, room: '', hand_no: 1, commit: '', stake: 10, reward: 0 };
  const seats = view.seats.map((seat) => ({ ...names, bot: seat.seat !== ME, ...seat }));
  const d = { ...view, table: { ...table, multiplier: '1.0' }, seats, result: null };
  return fromSnapshot(view.v, d as unknown as Snapshot);
}

const legal = (game: Game) => game.legal(ME, true).moves as LegalMove[];
const cardsOf = ({ d }: LegalMove) => [...(d as { cards: readonly Card[] }).cards];
const apply = (game: Game, move: LegalMove) => void game.apply(ME, move as Parameters<Game['apply']>[1]);

/** A card that the hint discards because it fits nothing is not in any group of the best arrangement. */
function checkDiscard(state: TableState, { move, reasons }: NonNullable<Hint['advice']>): void {
  const [card = ''] = cardsOf(move);
  if (cardsOf(move).length > 1 || reasons[0]?.code !== 'no_partner') return;
  const fields = Object.entries(state.rules).filter(([, value]) => typeof value === 'number');
  const table = {
    variant: state.rules.variant,
    params: Object.fromEntries(fields) as Record<string, number>,
  };
  const { groups } = engine.arrange(table, state.hand, state.wildCard);
  expect(groups.flat()).not.toContain(card);
  expect(isJoker(card)).toBe(false);
  if (state.rules.family === 'declare') expect(isWild(wildOf(state), card)).toBe(false);
}

function laidBy(state: TableState): { opened: boolean | undefined; worth: number } {
  const mine = state.melds.filter(({ owner }) => owner === ME);
  const worth = mine.reduce((sum, meld) => sum + meldWorth(state.rules, meld), 0);
  return { opened: mySeat(state)?.opened, worth };
}

/** Follows the hint, and checks that every move is legal. */
function follow(game: Game, hint: Hint): void {
  const state = stateOf(game);
  if (hint.melds.length > 0) {
    if (hint.opens) expect(hint.worth).toBeGreaterThanOrEqual(state.rules.opening_min);
    for (const meld of hint.melds) apply(game, meld);
    if (hint.opens) expect(laidBy(stateOf(game))).toEqual({ opened: true, worth: hint.worth });
  } else if (hint.adds[0]) apply(game, hint.adds[0]);
  else {
    if (!hint.advice) throw new Error(`no advice for ${state.hand.join(' ')}`);
    expect(legal(game)).toContainEqual(hint.advice.move);
    if (hint.advice.move.t === 'discard') checkDiscard(state, hint.advice);
    apply(game, hint.advice.move);
  }
}

describe('hints', () => {
  it.each(Object.keys(variants))('lead through whole hands: %s', async (variant) => {
    const seen = { melds: 0, discards: 0 };
    for (let n = 1; n <= 3; n++) {
      const seed = n.toString(16).padStart(2, '0').repeat(32);
      const { game } = engine.deal({ variant, players: 2 }, { server_seed: seed });
      for (let turn = 0; turn < TURNS_MAX; turn++) {
        const state = stateOf(game);
        if (state.phase !== 'draw' && state.phase !== 'play') break;
        if (!isMyTurn(state)) {
          game.apply(1, game.botMove(1, 'medium'));
          continue;
        }
        const hint = await hintOf(state, legal(game), n % 2 ? 'hand' : 'table');
        if (hint.melds.length > 0) seen.melds++;
        if (hint.advice?.move.t === 'discard') seen.discards++;
        follow(game, hint);
      }
      expect(mySeat(stateOf(game))?.left).toBe(false);
      game.close();
    }
    expect(seen.discards).toBeGreaterThan(0);
    if (variants[variant as keyof typeof variants].family !== 'declare')
      expect(seen.melds).toBeGreaterThan(0);
  });
});
