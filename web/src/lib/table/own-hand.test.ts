import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Card } from '$lib/cards/cards';
import * as hands from './hand';
import { OwnHand } from './own-hand.svelte';
import type { TableEvent } from '@rummyd/client';
import type { TableState } from './state';

const prefs = vi.hoisted(() => ({ now: { sortDrawn: false } }));
vi.mock('$lib/prefs.svelte', () => ({ prefs }));

const CARDS = ['5h', '6h', '7h', 'Kd', 'Ks'] as Card[];

/** The parts of a table state that an arrangement uses. */
const at = (handNo: number, hand: readonly Card[], grouping: Card[][] = []) =>
  ({ handNo, hand, grouping, me: 0 }) as unknown as TableState;
const event = (t: string, seat = 0) => ({ v: 1, t, seat, d: {} }) as unknown as TableEvent;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

function grouped(): OwnHand {
  const hand = new OwnHand('9');
  hand.event(event('dealt'), at(1, CARDS));
  hand.selected = CARDS.slice(0, 3);
  hand.groupSelected();
  return hand;
}

describe('the own hand', () => {
  it('is grouped by what was chosen, which is chosen no more', () => {
    const hand = grouped();
    expect(hand.order.groups).toEqual([CARDS.slice(0, 3)]);
    expect(hand.selected).toEqual([]);
  });

  it('comes back as it was after a reload, in the same hand only', () => {
    grouped();
    const again = new OwnHand('9');
    again.snapshot(at(1, CARDS));
    expect(again.order.groups).toEqual([CARDS.slice(0, 3)]);
    const next = new OwnHand('9');
    next.snapshot(at(2, CARDS));
    expect(next.order.groups).toEqual([]);
    expect([...next.order.loose].sort()).toEqual([...CARDS].sort());
  });

  it('takes the groups the server has where this browser has none', () => {
    const hand = new OwnHand('9');
    hand.snapshot(at(1, CARDS, [CARDS.slice(0, 3)]));
    expect(hand.order.groups).toEqual([CARDS.slice(0, 3)]);
    const own = grouped();
    own.snapshot(at(1, CARDS, [CARDS.slice(1, 4)]));
    expect(own.order.groups).toEqual([CARDS.slice(0, 3)]);
  });

  it('lets go of a card that is held no more, chosen or grouped', () => {
    const hand = grouped();
    hand.selected = ['7h', 'Ks'] as Card[];
    hand.event(
      event('discarded'),
      at(
        1,
        CARDS.filter((c) => c !== '7h'),
      ),
    );
    expect(hand.selected).toEqual(['Ks']);
    expect(hand.order.groups).toEqual([['5h', '6h']]);
  });

  it('a card that comes goes to the end, and nothing else moves', () => {
    const hand = grouped();
    const { loose } = hand.order;
    hand.event(event('drawn'), at(1, [...CARDS, '2c' as Card]));
    expect(hand.order.loose).toEqual([...loose, '2c']);
  });

  it('a card that is drawn goes to its place, where the player wants that', () => {
    const dealt = ['2C1', '9C1', 'KH1', '3S1'];
    const drew = { v: 2, t: 'drew', seat: 0, d: { from: 'stock', card: '5C1' } } as unknown as TableEvent;
    const looseAfter = (sortDrawn: boolean) => {
      prefs.now = { sortDrawn };
      const hand = new OwnHand('');
      hand.event(event('dealt'), at(1, dealt));
      hand.arrange({ groups: [], loose: dealt });
      hand.event(drew, at(1, [...dealt, '5C1']));
      return hand.order.loose;
    };
    expect(looseAfter(true)).toEqual(['2C1', '5C1', '9C1', 'KH1', '3S1']);
    expect(looseAfter(false)).toEqual([...dealt, '5C1']);
    expect(hands.placeLoose({ groups: [], loose: ['2C1', 'KD1'] }, 'KD1', 'suit').loose).toEqual([
      '2C1',
      'KD1',
    ]);
  });

  it('finishes with the chosen card, or the only one in no group', () => {
    const hand = grouped();
    expect(hand.finish).toBeNull();
    hand.selected = ['Kd'] as Card[];
    expect(hand.finish).toBe('Kd');
    hand.selected = [];
    hand.event(event('discarded'), at(1, CARDS.slice(0, 4)));
    expect(hand.finish).toBe('Kd');
  });

  it('sends groups of a size the server takes, without the card to finish with', () => {
    const hand = grouped();
    hand.selected = ['Kd', 'Ks'] as Card[];
    hand.groupSelected();
    expect(hand.sentGroups(null)).toEqual([CARDS.slice(0, 3)]);
    expect(hand.sentGroups('5h' as Card)).toEqual([]);
  });

  it('copes with what is kept spoilt', () => {
    localStorage.setItem('rummyd:hand:9', '{"handNo":1}');
    const hand = new OwnHand('9');
    hand.snapshot(at(1, CARDS));
    expect(hand.order.groups).toEqual([]);
  });
});
