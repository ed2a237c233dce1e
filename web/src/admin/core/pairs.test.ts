import { describe, expect, it } from 'vitest';
import { barsOf, excessSaid, isStrange, pairIdOf, pairNameOf, tiesSaid } from './pairs';

const THROWS = {
  from: '43',
  to: '42',
  chances: 118,
  taken: 89,
  taken_percent: 75.4,
  excess: 11.8,
  bots: { taken_percent: 21, excess: 14.4 },
  to_others: { chances: 510, taken: 101, taken_percent: 19.8, excess: 11.8 },
  from_others: { chances: 41, taken: 8, taken_percent: 19.5, excess: null },
};

const person = (id: string) => ({ id, games: 1, wins: 0, chips: 0 });
const PAIR = {
  games: 40,
  share_percent: 95,
  excess: null,
  separated: false,
  meetings: { today: 3, per_day_max: 20, beyond: 0 },
  invitations: { inviter: null, state: null, only_together: false, common_inviter: null, chain: 0 },
  shared_device: false,
  shared_address: false,
  players: [person('42'), person('43')],
  throws: [],
  records: [],
};

describe('a pair', () => {
  it('is called by both players', () => {
    expect([pairIdOf(PAIR), pairNameOf(PAIR)]).toEqual(['42-43', '42 – 43']);
  });

  it('is tied by invitations and by a device', () => {
    expect(tiesSaid(PAIR)).toBe('–');
    const invitations = {
      ...PAIR.invitations,
      inviter: '42',
      state: 'paid' as const,
      only_together: true,
      chain: 2,
    };
    const tied = tiesSaid({ ...PAIR, invitations, shared_device: true, shared_address: true });
    expect(tied).toBe(
      '42 invited 43 (paid); 43 has only played with 42; a chain of 2 invitations leads to them; same device; created from the same address',
    );
    const common = { ...PAIR.invitations, common_inviter: '7', chain: 1 };
    expect(tiesSaid({ ...PAIR, invitations: common })).toBe('both invited by 7');
  });

  it('is worth a look from five standard deviations on, and never for want of games', () => {
    expect([4.9, 5, 11.8, null].map(isStrange)).toEqual([false, true, true, false]);
    expect([11.84, 0, null].map(excessSaid)).toEqual(['11.8', '0.0', '–']);
  });

  it('shows each value next to the usual one and how far it exceeds it', () => {
    const bars = barsOf(THROWS);
    expect(bars.map((bar) => bar.percent)).toEqual([75.4, 21, 19.8, 19.5]);
    expect(bars.map((bar) => bar.tone)).toEqual(['bad', '', '', '']);
    expect(bars[0]?.about).toContain('89');
    expect(bars[1]?.about).toContain('14.4');
    expect(bars[3]?.about).toContain('–');
    expect(barsOf({ ...THROWS, excess: null })[0]?.tone).toBe('own');
  });
});
