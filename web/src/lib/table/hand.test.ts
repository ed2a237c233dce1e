import { describe, expect, it } from 'vitest';
import {
  allCards,
  group,
  layoutHand,
  moveCards,
  moveToGroup,
  nudge,
  reconcile,
  sortLoose,
  ungroup,
  type HandMetrics,
} from './hand';

const ORDER = { groups: [['6S1', '7S1']], loose: ['KH1', '2C1', 'X1', '2H1'] };

describe('the order of the hand', () => {
  it('loses what is gone and shows what is new at the end', () => {
    const next = reconcile(ORDER, ['7S1', 'KH1', 'X1', '2H1', '9D1']);
    expect(next).toEqual({ groups: [['7S1']], loose: ['KH1', 'X1', '2H1', '9D1'] });
    expect(reconcile(ORDER, ['KH1']).groups).toEqual([]);
  });
  it('groups and dissolves', () => {
    const grouped = group(ORDER, ['2C1', '2H1']);
    expect(grouped.groups).toEqual([
      ['6S1', '7S1'],
      ['2C1', '2H1'],
    ]);
    expect(allCards(ungroup(grouped, 0))).toHaveLength(6);
    expect(group(grouped, ['6S1', '7S1', '2C1']).groups).toEqual([['2H1'], ['6S1', '7S1', '2C1']]);
  });
  it('moves before a card, into a group, to the end', () => {
    expect(moveCards(ORDER, ['2H1'], 'KH1').loose[0]).toBe('2H1');
    expect(moveCards(ORDER, ['X1'], '7S1').groups[0]).toEqual(['6S1', 'X1', '7S1']);
    expect(moveCards(ORDER, ['6S1'], null).loose.at(-1)).toBe('6S1');
    expect(moveToGroup(ORDER, ['X1'], 0).groups[0]).toEqual(['6S1', '7S1', 'X1']);
    expect(moveCards(ORDER, ['KH1'], 'KH1')).toBe(ORDER);
  });
  it('never loses or doubles a card', () => {
    const all = [...allCards(ORDER)].sort();
    for (const before of [...allCards(ORDER), null])
      expect([...allCards(moveCards(ORDER, ['6S1', 'X1'], before))].sort()).toEqual(all);
  });
  it('steps one place at a time and stops at the ends', () => {
    expect(nudge(ORDER, '2C1', -1).loose).toEqual(['2C1', 'KH1', 'X1', '2H1']);
    expect(nudge(ORDER, 'KH1', -1).loose).toEqual(ORDER.loose);
  });
  it('sorts the loose cards only', () => {
    expect(sortLoose(ORDER, 'rank').loose).toEqual(['2H1', '2C1', 'KH1', 'X1']);
    expect(sortLoose(ORDER, 'suit').loose).toEqual(['2H1', 'KH1', '2C1', 'X1']);
    expect(sortLoose(ORDER, 'suit').groups).toBe(ORDER.groups);
  });
});

describe('the places of the cards', () => {
  const phone: HandMetrics = {
    width: 340,
    cardWidth: 52,
    cardHeight: 73,
    stepMax: 38,
    stepMin: 27,
    groupGap: 26,
    rowGap: 50,
  };
  const loose = (n: number) => ({ groups: [], loose: Array.from({ length: n }, (_, i) => `c${i}`) });

  it('needs two rows for fifteen cards on a phone and stays inside', () => {
    const { slots, step } = layoutHand(loose(15), phone);
    expect(new Set(slots.map((s) => s.y)).size).toBe(2);
    expect(step).toBeGreaterThanOrEqual(phone.stepMin);
    for (const slot of slots) {
      expect(slot.x).toBeGreaterThanOrEqual(0);
      expect(slot.x + phone.cardWidth).toBeLessThanOrEqual(phone.width + 0.01);
    }
  });
  it('uses one row if it is wide enough', () => {
    const { slots } = layoutHand(loose(15), { ...phone, width: 1200 });
    expect(new Set(slots.map((s) => s.y)).size).toBe(1);
  });
  it('puts a bracket over every group, in two rows too', () => {
    const order = {
      groups: [
        ['a', 'b', 'c'],
        ['d', 'e', 'f', 'g'],
      ],
      loose: ['h', 'i', 'j', 'k', 'l', 'm', 'n', 'o'],
    };
    const { slots, boxes } = layoutHand(order, phone);
    expect(boxes).toHaveLength(2);
    expect(slots).toHaveLength(15);
    for (const box of boxes) expect(box.x + box.width).toBeLessThanOrEqual(phone.width + 0.01);
  });
  it('copes with an empty hand', () => {
    expect(layoutHand({ groups: [], loose: [] }, phone).slots).toEqual([]);
  });
});
