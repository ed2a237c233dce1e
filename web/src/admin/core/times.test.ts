import { describe, expect, it } from 'vitest';
import { filtersOf } from './filters';
import { at, span, timeOf } from './times';

describe('times of operators', () => {
  it('are of UTC, the year first', () => {
    expect(at('2026-11-22T11:12:05.123Z')).toBe('2026-11-22 11:12:05');
    expect([at(null), at(undefined)]).toEqual(['–', '–']);
  });

  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3600, '1 h'],
    [5400, '1 h 30 min'],
    [86_400, '1 d'],
    [97_200, '1 d 3 h'],
  ])('last: %d s', (seconds, said) => expect(span(seconds)).toBe(said));

  it.each([
    ['2026-11-20', '2026-11-20T00:00:00Z'],
    ['2026-11-20 18:00', '2026-11-20T18:00:00Z'],
    [' 2026-11-20T18:00:07.5Z ', '2026-11-20T18:00:07.5Z'],
    ['', ''],
  ])('are typed as %j', (typed, sent) => expect(timeOf(typed)).toBe(sent));
});

describe('filters', () => {
  it('send what is set, times as the server wants them', () => {
    const filters = [
      { name: 'player', label: '' },
      { name: 'since', label: '', time: true },
      { name: 'state', label: '', of: ['paid'] },
    ];
    expect(filtersOf(filters, { player: ' 42 ', since: '2026-11-20', state: '', other: 'x' })).toEqual({
      player: '42',
      since: '2026-11-20T00:00:00Z',
    });
  });
});
