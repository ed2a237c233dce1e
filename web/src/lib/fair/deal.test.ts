/* The numbers below were made by a program of its own in another language (docs/fairness.md). */
import { describe, expect, it } from 'vitest';
import { canonicalPack, commitOf, deal, verify, type Witness } from './deal';

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
    expect(new Set(canonicalPack()).size).toBe(108);
  });
  it('comes out as another program deals it', async () => {
    expect(await commitOf(FAIR.server_seed)).toBe(FAIR.commit);
    const dealt = await deal(FAIR);
    expect(dealt.starter).toBe(3);
    expect(dealt.hands.map((h) => h.length)).toEqual([14, 14, 14, 15]);
    expect(dealt.hands[1]).toEqual(HAND);
  });
});

describe('the verdict', () => {
  const check = async (change: Partial<Witness>, fair = FAIR) =>
    (await verify(fair, { ...WITNESS, ...change })).state;

  it('is good when all three hold, in any order of the hand', async () => {
    expect(await check({})).toBe('verified');
    expect(await check({ dealt: [...HAND].reverse() })).toBe('verified');
  });
  it('says so when this browser saw only a part', async () => {
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
