import { load, type Game, type View } from '@rummyd/engine';
import type { LegalMove } from '@rummyd/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { isJoker, type Card } from '$lib/cards/cards';
import { proposeMelds } from '$lib/rules/melds';
import { rulesOf } from '$lib/rules/rules';
import variants from '$lib/rules/variants.json';
import { advise, type Advice, type Arrange, type Reason } from './coach';
import type { Seen } from './card-counts';
import { sayAdvice, sayReason } from './words';

type Engine = Awaited<ReturnType<typeof load>>;
let engine: Engine;
beforeAll(async () => {
  engine = await load();
});

function seenOf(view: View): Seen {
  const rules = rulesOf(view.variant, view.params);
  const mine = view.seats.find((s) => s.seat === view.me);
  return {
    rules,
    phase: view.phase,
    hand: view.hand,
    discard: view.discard,
    melds: view.melds,
    wildCard: view.wild?.card ?? null,
    wild: {
      card: view.wild?.card ?? null,
      exact: rules.wild_scope === 2,
      naturalPure: rules.wild_natural_pure === 1,
    },
    opened: mine?.opened ?? false,
    round: mine?.round ?? 1,
    stagedSum: view.turn.staged_sum ?? 0,
  };
}
const paramsOf = ({ rules }: Seen) =>
  Object.fromEntries(Object.entries(rules).filter(([, value]) => typeof value === 'number')) as Record<
    string,
    number
  >;
const arrangeAt =
  (seen: Seen): Arrange =>
  (cards) =>
    engine.arrange({ variant: seen.rules.variant, params: paramsOf(seen) }, cards, seen.wildCard);

/* Recounts everything that a reason claims by comparing card names. */
const ORDER = 'A23456789TJQK';
const suits = (cards: Card[]) => new Set(cards.map((c) => c.charAt(1))).size;
function isMeld({ rules }: Seen, cards: Card[]): boolean {
  const places = cards.map((c) => ORDER.indexOf(c.charAt(0)));
  if (new Set(places).size === 1) return suits(cards) === cards.length;
  const runs = [...(rules.ace_low ? [places] : []), ...(rules.ace_high ? [places.map((n) => n || 13)] : [])];
  if (!runs.length) runs.push(places.filter((n) => n > 0));
  const consecutive = (list: number[]) =>
    [...list].sort((x, y) => x - y).every((n, i, all) => i === 0 || n === (all[i - 1] ?? 0) + 1);
  return suits(cards) === 1 && runs.some((list) => list.length === cards.length && consecutive(list));
}
const ALL = [...ORDER].flatMap((rank) => [...'CSHD'].map((suit) => rank + suit));
const together = (seen: Seen, a: Card, b: Card) => ALL.some((c) => isMeld(seen, [a, b, c]));
function left(seen: Seen, card: Card, loose: Card[]): number {
  const open = [
    ...seen.discard,
    ...seen.melds.flatMap((m) => m.cards),
    ...(seen.wildCard ? [seen.wildCard] : []),
  ];
  const gone = (name: string) => [...open, ...seen.hand].filter((c) => c.startsWith(name)).length;
  const wanted = ALL.filter((name) => loose.some((c) => c !== card && isMeld(seen, [card, c, name])));
  return wanted.reduce((sum, name) => sum + seen.rules.packs - gone(name), 0);
}
function isTrue(seen: Seen, { move }: Advice, reason: Reason): boolean {
  const open = [
    ...seen.discard,
    ...seen.melds.flatMap((m) => m.cards),
    ...(seen.wildCard ? [seen.wildCard] : []),
  ];
  const loose = () => {
    const { rest, finish } = arrangeAt(seen)(seen.hand);
    const wild = (c: Card) =>
      seen.wildCard !== null && c.charAt(0) === (isJoker(seen.wildCard) ? 'A' : seen.wildCard.charAt(0));
    return [...rest, ...(finish ? [finish] : [])].filter((c) => !isJoker(c) && !wild(c));
  };
  switch (reason.code) {
    case 'rank_out':
      return open.filter((c) => c.charAt(0) === reason.card.charAt(0)).length === reason.n;
    case 'counts': {
      const worth = '23456789'.includes(reason.card.charAt(0)) ? Number(reason.card.charAt(0)) : 10;
      return reason.card.startsWith('A') ? reason.n === seen.rules.ace_points : reason.n === worth;
    }
    case 'no_partner':
      return !loose().some((c) => c !== reason.card && together(seen, c, reason.card));
    case 'outs':
      return left(seen, reason.card, loose()) === reason.n;
    case 'leaves': {
      const thrown = (move.d as { cards: Card[] }).cards[0] ?? '';
      const others = loose().filter((c) => c !== reason.card && c !== thrown);
      return together(seen, reason.card, thrown) && !others.some((c) => together(seen, c, reason.card));
    }
    case 'makes': {
      const top = seen.discard.at(-1) ?? '';
      return reason.cards.includes(top) && reason.cards.every((c) => c === top || seen.hand.includes(c));
    }
    case 'fits_nothing':
      return !arrangeAt(seen)([...seen.hand, reason.card])
        .groups.flat()
        .includes(reason.card);
    case 'opens':
      return reason.worth >= seen.rules.opening_min && !seen.opened;
    case 'lays_off':
      return loose().includes(reason.card);
    case 'lays':
      return arrangeAt(seen)((move.d as { cards: Card[] }).cards).rest.length === 0;
    case 'declares':
      return arrangeAt(seen)(seen.hand.filter((c) => c !== reason.finish)).rest.length === 0;
    case 'would_oblige':
      return !seen.opened && seen.round > 1 && reason.min === seen.rules.opening_min;
    case 'goes_out':
      return (move.d as { cards: Card[] }).cards.length === seen.hand.length;
    default:
      return true;
  }
}

function adviceIn(game: Game, seat: number): { seen: Seen; advice: Advice | null } {
  const seen = seenOf(game.view(seat));
  const legal = game.legal(seat, true).moves as LegalMove[];
  return { seen, advice: advise(seen, legal, arrangeAt(seen)) };
}

const TURNS_MAX = 400;
const NAMES = Object.keys(variants);

describe('the coach', () => {
  it.each(NAMES)('advises only what is legal and says only what is true: %s', (variant) => {
    const openings = { laid: 0, kept: 0 };
    for (let n = 1; n <= 4; n++) {
      const seed = n.toString(16).padStart(2, '0').repeat(32);
      const { game } = engine.deal({ variant, players: 2 }, { server_seed: seed });
      for (let turn = 0; turn < TURNS_MAX; turn++) {
        const { to_move: seat, phase } = game.view();
        if (seat === null || (phase !== 'draw' && phase !== 'play')) break;
        if (seat === 1) {
          game.apply(1, game.botMove(1, 'medium'));
          continue;
        }
        const { seen, advice } = adviceIn(game, 0);
        if (!advice) throw new Error(`no advice in ${phase}: ${seen.hand.join(' ')}`);
        for (const reason of advice.reasons) {
          expect(isTrue(seen, advice, reason), JSON.stringify({ reason, advice, hand: seen.hand })).toBe(
            true,
          );
          expect(sayReason(reason)).not.toMatch(/coach\.|[{}]|undefined/);
          if (reason.code === 'opens') openings.laid++;
        }
        expect(sayAdvice(advice)).not.toMatch(/coach\.|[{}]|undefined/);
        game.apply(0, advice.move as Parameters<Game['apply']>[1]);
      }
      game.close();
    }
    if (rulesOf(variant).opening_min > 0) expect(openings.laid).toBeGreaterThan(0);
  });
});

describe('worked positions', () => {
  const rules = rulesOf('rummy51');
  const position = (change: Partial<Seen>): Seen => ({
    ...{ rules, phase: 'play', hand: [], discard: [], melds: [], wildCard: null, opened: false, round: 3 },
    ...{ wild: { card: null, exact: false, naturalPure: true }, stagedSum: 0 },
    ...change,
  });
  const cards = (text: string) => text.split(' ');
  const throwAny = (hand: Card[]) => hand.map((c) => ({ t: 'discard', d: { cards: [c] } }) as LegalMove);
  const both = [
    { t: 'draw', d: { from: 'stock' } },
    { t: 'draw', d: { from: 'discard' } },
  ] as LegalMove[];

  it('take it: it makes a run of four', () => {
    const seen = position({
      phase: 'draw',
      opened: true,
      hand: cards('5H1 6H1 7H1 KC1 2D1'),
      discard: ['8H2'],
    });
    const advice = advise(seen, both, arrangeAt(seen));
    expect(advice?.move).toEqual(both[1]);
    expect(advice?.reasons.map(sayReason)).toEqual(['It makes a run of 4 with your cards.']);
  });

  it('do not take what you could not open with', () => {
    const seen = position({ phase: 'draw', hand: cards('5H1 6H1 KC1 2D1 9S1'), discard: ['7H2'] });
    const advice = advise(seen, both, arrangeAt(seen));
    expect(advice?.move).toEqual(both[0]);
    expect(advice?.reasons[0]?.code).toBe('would_oblige');
  });

  it('you can open with 53', () => {
    const melds = ['TC1 TH1 TD1', '6S1 7S1 8S1'].map(
      (m) => ({ t: 'meld', d: { cards: cards(m) } }) as LegalMove,
    );
    const seen = position({ hand: cards('TC1 TH1 TD1 6S1 7S1 8S1 2D1'), stagedSum: 2 });
    expect(proposeMelds(rules, cards('TC1 TH1 TD1'), true)[0]?.worth).toBe(30);
    const advice = advise(seen, [...melds, ...throwAny([...seen.hand])], arrangeAt(seen));
    expect(advice?.move).toEqual(melds[0]);
    expect(advice?.reasons.map(sayReason)).toEqual(['You can open with 53 points.']);
  });

  it('two eights are already out', () => {
    const hand = cards('5H1 6H1 7H1 8S1 2D1 3D1');
    const seen = position({ hand, discard: cards('8D1 KC1 8C2') });
    const advice = advise(seen, throwAny(hand), arrangeAt(seen));
    expect(advice?.move.d).toEqual({ cards: ['8S1'] });
    expect(advice?.reasons.map(sayReason)).toContain('2 cards of that rank are already out (8).');
  });

  it('a throw leaves its partner alone', () => {
    const hand = cards('5H1 6H1 7H1 4D1 4S1');
    const seen = position({ hand, discard: cards('4C1 4C2 KH1') });
    const advice = advise(seen, throwAny(hand), arrangeAt(seen));
    expect(advice?.reasons.find((r) => r.code === 'leaves')).toMatchObject({ card: '4S1' });
  });
});
