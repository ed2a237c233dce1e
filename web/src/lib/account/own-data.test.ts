import { describe, expect, it } from 'vitest';
import { day } from '$lib/ui/time';
import { exportSaid, meant, sizeSaid, waitsSaid } from './own-data';

const at = '2026-11-20T19:28:00.000Z';

describe('a file of own data', () => {
  it.each([
    [0, '0 bytes'],
    [1023, '1,023 bytes'],
    [1024, '1 KB'],
    [640_112, '625 KB'],
    [3_500_000, '3.3 MB'],
  ])('of %i has the text %s', (bytes, said) => {
    expect(sizeSaid(bytes)).toBe(said);
  });

  it('is being made, or ready', () => {
    expect(exportSaid({ state: 'none' })).toBe('');
    expect(exportSaid({ state: 'making', lines: 0 })).toMatch(/^We’re preparing your file\. You can leave/);
    expect(exportSaid({ state: 'making', lines: 40 })).toContain('40 lines so far.');
    const ready = exportSaid({ state: 'ready', ready_at: at, expires_at: at, bytes: 2048 });
    expect(ready).toBe(`Your file from ${day(at)} is ready (2 KB). You can download it until ${day(at)}.`);
  });
});

describe('a deletion', () => {
  it.each([
    [[], ''],
    [['table'], 'Before that, your current game has to end.'],
    [
      ['table', 'order'],
      'Before that, your current game has to end. Before that, a pending payment or refund has to go through.',
    ],
  ])('that waits for %j shows this', (waits, said) => {
    expect(waitsSaid(waits)).toBe(said);
  });

  it.each([
    ['delete', true],
    [' Delete ', true],
    ['DELETE', true],
    ['', false],
    ['delet', false],
    ['yes', false],
  ])('is recognized in %j: %s', (typed, yes) => {
    expect(meant(typed)).toBe(yes);
  });
});
