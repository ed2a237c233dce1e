/* The numbers below come from an independent program in another language (docs/fairness.md). */
import { describe, expect, it } from 'vitest';
import { rulesOf } from '$lib/rules/rules';
import { canonicalPack, commitOf, deal, verify, type Witness } from './deal';
import { engineDeals } from './engine';

const FAIR = {
  commit: '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
  server_seed: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  client_seeds: ['', '6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283', '', ''],
  table_id: '917',
  hand_no: 1,
};
const HAND = '5C1 KD1 AC1 2H2 TS2 JD1 2C1 JC2 4C1 4D1 9D1 2C2 7C1 JH1'.split(' ');
const WITNESS: Witness = { commit: FAIR.commit, seed: FAIR.client_seeds[1] ?? '', seat: 1, dealt: HAND };

describe('the deal', () => {
  it('has every card once', () => {
    expect(new Set(canonicalPack(rulesOf('rummy51'))).size).toBe(108);
    expect(new Set(canonicalPack(rulesOf('straight'))).size).toBe(52);
    expect(canonicalPack(rulesOf('points')).slice(-2)).toEqual(['X1', 'X2']);
  });
  it('comes out as another program deals it', async () => {
    expect(await commitOf(FAIR.server_seed)).toBe(FAIR.commit);
    const dealt = await deal(FAIR);
    expect(dealt.starter).toBe(3);
    expect(dealt.hands.map((h) => h.length)).toEqual([14, 14, 14, 15]);
    expect(dealt.hands[1]).toEqual(HAND);
  });
});

describe('the deal of other games', () => {
  const of = (seats: number, hand_no: number) => ({
    ...FAIR,
    client_seeds: Array.from({ length: seats }, () => ''),
    hand_no,
  });
  it('gives two players of straight rummy ten cards each', async () => {
    const dealt = await deal(of(2, 1), { rules: rulesOf('straight'), starter: null, out: [] });
    expect(dealt.starter).toBe(1);
    expect(dealt.hands.map((h) => h.join(' '))).toEqual([
      '4C1 6H1 2H1 5S1 JC1 JS1 7C1 9D1 4D1 8H1',
      'TS1 3S1 TD1 9C1 9H1 5D1 AH1 3D1 6S1 TC1',
    ]);
  });
  it('comes out of the game’s own engine as of this program', async () => {
    const variants = 'rummy51 straight treff rummy40 rami points pool101 pool201 deals2 deals3'.split(' ');
    for (const [i, variant] of variants.entries())
      for (const hand_no of [1, 3]) {
        const players = 2 + (i % 3);
        const setting = { rules: rulesOf(variant), starter: hand_no > 1 ? 1 : null, out: [] };
        if (hand_no > 1 && setting.rules.session_hands < 3) continue;
        const fair = of(players, hand_no);
        const dealt = await deal(fair, setting);
        expect(await engineDeals(fair, setting, dealt), `${variant} ${hand_no}`).toBe(true);
        expect(await engineDeals({ ...fair, table_id: '918' }, setting, dealt)).toBe(false);
        const first = dealt.hands[0] ?? [];
        const other = { ...dealt, hands: [[...first.slice(1), 'X9'], ...dealt.hands.slice(1)] };
        expect(await engineDeals(fair, setting, other)).toBe(false);
      }
  });
  it('passes over who is out of a pool, and takes the starter of a later hand as it follows', async () => {
    const dealt = await deal(of(4, 5), { rules: rulesOf('pool101'), starter: 2, out: [0, 3] });
    expect(dealt.hands.map((h) => h.length)).toEqual([0, 13, 13, 0]);
    expect(dealt.hands[2]?.join(' ')).toBe('7D1 4C1 8S1 QH2 AH1 KD2 8C1 8D2 JH1 9C1 3C2 QS2 X1');
  });
});

describe('the verdict', () => {
  const check = async (change: Partial<Witness>, fair = FAIR) =>
    (await verify(fair, { ...WITNESS, ...change })).state;

  it('is good when all three hold, in any order of the hand', async () => {
    expect(await check({})).toBe('verified');
    const { checks } = await verify(FAIR, WITNESS);
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['commit', true],
      ['seed', true],
      ['hand', true],
      ['engine', true],
    ]);
    expect(await check({ dealt: [...HAND].reverse() })).toBe('verified');
  });
  it('reports that this browser saw only a part', async () => {
    expect(await check({ dealt: [] })).toBe('partial');
    expect(await check({ seed: '' })).toBe('partial');
  });
  it('fails for another seal, a missing seed, another hand', async () => {
    expect(await check({ commit: 'ff'.repeat(32) })).toBe('failed');
    expect(await check({ seed: 'ab'.repeat(32) })).toBe('failed');
    expect(await check({ dealt: ['AH1', ...HAND.slice(1)] })).toBe('failed');
    expect(await check({}, { ...FAIR, server_seed: 'ab'.repeat(32) })).toBe('failed');
  });
});
