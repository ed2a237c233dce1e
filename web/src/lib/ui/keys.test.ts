/* What the keyboards of our languages report for the shortcuts of the table and the replay. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pressed } from './keys';

/** The letters of the shortcuts, in this order on each layout. */
const LETTERS = 'dfgsrltbphveq';
/** Code of a letter whose position differs from a US keyboard. */
const LAYOUTS: Record<string, { keys: string[]; codes?: Record<string, string> }> = {
  'English, German, Serbian (Latin)': { keys: [...LETTERS] },
  'with Caps Lock': { keys: [...LETTERS.toUpperCase()] },
  'French AZERTY': { keys: [...LETTERS], codes: { q: 'KeyA' } },
  'Serbian (Cyrillic)': { keys: [...'дфгсрлтбпхвељ'] },
  'Serbian (Cyrillic), Caps Lock': { keys: [...'ДФГСРЛТБПХВЕЉ'] },
  'Hindi InScript': { keys: ['्', 'ि', 'ु', 'े', 'ी', 'त', 'ू', 'व', 'ज', 'प', 'न', 'ा', 'ौ'] },
  'Hindi InScript, Shift': { keys: ['अ', 'इ', 'उ', 'ए', 'ई', 'थ', 'ऊ', 'ऴ', 'झ', 'फ', 'ऩ', 'आ', 'औ'] },
  'an input method': { keys: [...LETTERS].map(() => 'Process') },
};

it.each(Object.entries(LAYOUTS))('reads the letters of %s', (_, { keys, codes = {} }) => {
  const read = keys.map((key, i) => {
    const letter = LETTERS.charAt(i);
    return pressed({ key, code: codes[letter] ?? `Key${letter.toUpperCase()}`, shiftKey: false });
  });
  expect(read.join('')).toBe(LETTERS);
});

it('goes by the label where the layout has Latin letters', () => {
  expect(pressed({ key: 'a', code: 'KeyQ', shiftKey: false })).toBe('a');
  expect(pressed({ key: ',', code: 'KeyM', shiftKey: false })).toBe(',');
  expect(pressed({ key: 'z', code: 'KeyY', shiftKey: false })).toBe('z');
});

it.each([
  ['English', '?', 'Slash'],
  ['German and Serbian', '?', 'Minus'],
  ['French', '?', 'KeyM'],
  ['Hindi', 'य़', 'Slash'],
])('finds the question mark of %s', (_, key, code) => {
  expect(pressed({ key, code, shiftKey: true })).toBe('?');
});

it('finds the digits of French and Hindi keyboards, and no others', () => {
  const row = (keys: string) =>
    [...keys].map((key, i) => pressed({ key, code: `Digit${(i + 1) % 10}`, shiftKey: false }));
  for (const keys of ['1234567890', '&é"\'(-è_çà', '१२३४५६७८९०'])
    expect(row(keys).join('')).toBe('1234567890');
  expect(pressed({ key: '!', code: 'Digit1', shiftKey: true })).toBe('!');
  expect(pressed({ key: '1', code: 'Digit1', shiftKey: true })).toBe('1');
});

it('leaves the other keys as they are', () => {
  for (const key of ['ArrowLeft', 'Escape', 'Home', 'PageDown'])
    expect(pressed({ key, code: key, shiftKey: false })).toBe(key.toLowerCase());
  expect(pressed({ key: '\u00a0', code: 'Space', shiftKey: true })).toBe(' ');
});

/** Keys with the same name on every layout may be compared directly. */
const NAMED = /\.key\s*[!=]==?\s*'(?:[A-Z][A-Za-z]+| )'/g;

it('is used wherever a printable key is a shortcut', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const own = files.filter((file) => /\.(svelte|ts)$/.test(file) && !/\.test\.ts$|ui.keys\.ts$/.test(file));
  expect(own.length).toBeGreaterThan(200);
  const direct = own.filter((file) =>
    /\b(?:event|e)\.(?:key\b|keyCode|which)/.test(
      readFileSync(join('src', file), 'utf8').replaceAll(NAMED, ''),
    ),
  );
  expect(direct).toEqual([]);
});
