import { expect, it } from 'vitest';
import { lettersOf, rangesOf, readTexts, SIGNS, WRITTEN } from './letters.mjs';
import { charactersOf, RUPEE, subsetOf } from './subsets.mjs';

const WEIGHTS = { min: 400, max: 700 };

/* A package's own list of its characters also names some that its fonts lack. */
it('has a glyph for every character of every language', async () => {
  const texts = readTexts();
  const found = new Set();
  for (const [subset, range] of Object.entries(rangesOf(texts))) {
    const letters = lettersOf(range) + (SIGNS[subset] ? lettersOf(SIGNS[subset]) : '');
    const characters = await charactersOf(await subsetOf('noto-sans', subset, letters, WEIGHTS));
    for (const character of characters) found.add(character);
  }
  const lacking = Object.entries(texts).flatMap(([name, text]) =>
    [...new Set(text.match(WRITTEN))].filter((letter) => !found.has(letter)).map((letter) => [name, letter]),
  );
  expect(lacking).toEqual([]);
});

it.each(['noto-sans', 'literata'])(
  '%s has all Latin letters and signs, but derives one space',
  async (file) => {
    const letters = lettersOf(rangesOf({}).latin);
    const characters = await charactersOf(await subsetOf(file, 'latin', letters, WEIGHTS));
    expect([...letters].filter((letter) => !characters.has(letter))).toEqual(['\u202f']);
  },
);

it('has the rupee sign in a file of its own', async () => {
  expect(await charactersOf(await subsetOf('noto-sans', RUPEE, '₹', WEIGHTS))).toEqual(new Set('₹'));
});
