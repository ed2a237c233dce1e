import { describe, expect, it } from 'vitest';
import { missedLines } from './missed';
import type { WirePlayed } from '@rummyd/client';

const NOTHING: WirePlayed = {
  from_v: 61,
  to_v: 88,
  turns: 0,
  time_outs: 0,
  melds: 0,
  lay_offs: 0,
  opening: null,
  thrown: [],
  drop_points: null,
  hands: 0,
  points: 0,
  reserve_used_ms: 0,
  reserve_left_ms: 10_000,
};

describe('what was played for one who is back', () => {
  it('is described in sentences', () => {
    const d = {
      ...NOTHING,
      turns: 4,
      time_outs: 3,
      thrown: ['TH1', '4C2'],
      reserve_used_ms: 7400,
      reserve_left_ms: 2600,
    };
    expect(missedLines(d)).toEqual([
      'Your time ran out 3 times.',
      'A bot played 1 turn for you.',
      'Discarded for you: 10 of hearts, 4 of clubs.',
      '7 s of your extra time for a bad connection are used; 3 s are left.',
    ]);
  });
  it('names what was laid and what it cost', () => {
    const d = {
      ...NOTHING,
      turns: 2,
      melds: 2,
      lay_offs: 1,
      opening: 57,
      drop_points: 40,
      hands: 1,
      points: 40,
    };
    expect(missedLines(d)).toEqual([
      'A bot played 2 turns for you.',
      'Laid for you: opened with 57, 2 melds, 1 card added to a meld.',
      'You were dropped out of a deal: 40 points.',
      '1 hand ended meanwhile: 40 points for you.',
    ]);
  });
  it('counts many', () => {
    expect(missedLines({ ...NOTHING, turns: 5, time_outs: 5 })).toEqual(['Your time ran out 5 times.']);
  });
});
