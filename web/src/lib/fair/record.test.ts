import { describe, expect, it } from 'vitest';
import { rulesOf } from '$lib/rules/rules';
import { deal, verify, type Witness } from './deal';
import { toldDeals, type ToldDeal } from './record';

const NOBODY: Witness = { commit: '', seed: '', seat: null, dealt: [] };
const FAIR = {
  commit: '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
  server_seed: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  client_seeds: ['', '', '', ''],
  table_id: '917',
};
const RAMI = { ...rulesOf('rami'), deal: 12 };
/** In the later hand, seat 2 gets the cards that the independent program deals (deal.test.ts). */
const SECOND = '7D1 4C1 8S1 QH2 AH1 KD2 8C1 8D2 JH1 9C1 3C2 QS2 X1';

async function recordOf(): Promise<string> {
  const first = await deal({ ...FAIR, hand_no: 1 }, { rules: RAMI, starter: null, out: [] });
  const later = await deal({ ...FAIR, hand_no: 5 }, { rules: rulesOf('pool101'), starter: 2, out: [0, 3] });
  expect(later.hands[2]?.join(' ')).toBe(SECOND);
  const cards = (hands: string[][]) =>
    hands.map((h, i) => (h.length > 0 ? `[Cards${i} "${h.join(' ')}"]\n` : ''));
  return (
    `[Rummyd "1"]\n[Variant "rami"]\n[Params "packs=2 deal=12"]\n[Hand "1"]\n[Players "4"]\n[Name0 "A \\"[Hand"]\n` +
    `[Starter "${first.starter}"]\n${cards(first.hands).join('')}\n1. 0 stock X1, throw 6D1\n\n` +
    `[Rummyd "1"]\n[Variant "pool101"]\n[Params "packs=2"]\n[Hand "5"]\n[Players "4"]\n[Totals "0 0 0 0"]\n` +
    `[Starter "2"]\n${cards(later.hands).join('')}\n`
  );
}

describe('the deals that a record tells', () => {
  it('have separate parameters, starters, and seats', async () => {
    const [first, later] = toldDeals(await recordOf());
    expect(first).toMatchObject({ handNo: 1, later: false, out: [] });
    expect(first?.hands.map((h) => h.length)).toEqual([12, 12, 12, 12]);
    expect(later).toMatchObject({ handNo: 5, later: true, starter: 2, out: [0, 3] });
    expect(later?.rules.variant).toBe('pool101');
    expect(later?.hands[2]?.join(' ')).toBe(SECOND);
  });
  it('match the seeds card by card, or are reported as different', async () => {
    for (const told of toldDeals(await recordOf())) {
      const fair = { ...FAIR, hand_no: told.handNo };
      const good = await verify(fair, NOBODY, told);
      expect(good.checks.find((c) => c.name === 'record')?.ok).toBe(true);
      expect(good.state).toBe('partial');
      const hands = told.hands.map((h) => [...h].reverse());
      hands[2] = ['AS1', ...(hands[2] ?? []).slice(1)];
      expect((await verify(fair, NOBODY, { ...told, hands })).state).toBe('failed');
    }
    const first = toldDeals(await recordOf())[0] as ToldDeal;
    const other = { ...first, starter: (first.starter + 1) % 4 };
    expect((await verify({ ...FAIR, hand_no: 1 }, NOBODY, other)).state).toBe('failed');
  });
});
