import { describe, expect, it } from 'vitest';
import { mayCoach } from './coaching';
import { fromSnapshot, type TableState } from './state';

function tableOf(bots: boolean[], stake = 0): TableState {
  const seats = bots.map((bot, seat) => ({
    ...{ seat, player_id: bot ? null : String(seat), nick: `P${seat}`, avatar: 'fennec', bot },
    ...{ on: true, away: false, left: false, opened: false, cards_n: 14, round: 1, points: 0 },
  }));
  const table = {
    id: '1',
    hand_no: 1,
    variant: 'rummy51',
    room: '',
    commit: '',
    reward: 0,
    multiplier: '1.0',
  };
  return fromSnapshot(1, { table: { ...table, stake }, me: 0, phase: 'draw', seats } as never);
}

describe('the coach', () => {
  it('speaks among bots, and at private tables', () => {
    expect(mayCoach(tableOf([false, true, true]), '', false)).toBe(true);
    expect(mayCoach(tableOf([false, false]), 'ABCD', false)).toBe(true);
  });
  it('is silent where a game is rated or chips are at stake, and to whoever watches', () => {
    expect(mayCoach(tableOf([false, false, true]), '', false)).toBe(false);
    expect(mayCoach(tableOf([false, true], 10), '', false)).toBe(false);
    expect(mayCoach(tableOf([false, true]), '', true)).toBe(false);
  });
});
