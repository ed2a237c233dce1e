import blocks from '@fontsource-variable/noto-sans/unicode.json' with { type: 'json' };
import { expect, it } from 'vitest';
import { lettersOf, rangesOf, readTexts, SIGNS, WRITTEN } from './letters.mjs';

it('has every letter of every language', () => {
  const texts = readTexts();
  expect(Object.keys(texts)).toContain('languages.json');
  const letters = new Set(Object.values(rangesOf(texts)).map(lettersOf).join(''));
  const used = Object.values(texts).flatMap((text) => text.match(WRITTEN) ?? []);
  expect(used.filter((letter) => !letters.has(letter))).toEqual([]);
});

it('adds a letter that a language uses to the file of its script, once', () => {
  const { latin, cyrillic, ...others } = rangesOf({});
  expect(rangesOf({ 'az.json': 'Əzizim, ə', 'en.json': '♠ → 1' })).toEqual({
    ...{ latin, cyrillic, ...others },
    'latin-ext': `${others['latin-ext']}, U+18F, U+259`,
  });
});

it('takes the letters that two of the package’s files list from the first, which has them', () => {
  const { latin, 'latin-ext': more } = rangesOf(readTexts());
  const first = new Set(lettersOf(blocks.latin));
  expect([...lettersOf(more)].filter((letter) => first.has(letter))).toEqual([]);
  expect(lettersOf(latin)).toContain('ı');
});

it('refuses a letter that no file has', () => {
  expect(() => rangesOf({ 'ka.json': 'რ' })).toThrow('ka.json: no font file has რ (U+10E0)');
  expect(() => rangesOf({ 'ja.json': '、' })).toThrow('ja.json: no font file has 、 (U+3001)');
});

it('gives each script of India its own file, and no two files of a family the same letter', () => {
  const ranges = rangesOf(readTexts());
  const letters = Object.values(ranges).map(lettersOf).join('');
  expect(new Set(letters).size).toBe([...letters].length);
  for (const [file, text] of Object.entries({ devanagari: 'अ₹', bengali: 'আ৳', tamil: 'அ', telugu: 'అ' }))
    for (const letter of text) expect(lettersOf(ranges[file])).toContain(letter);
});

it('adds the danda and the joiners to the files of scripts that share them with Devanagari', () => {
  expect(Object.keys(SIGNS)).toEqual(['bengali', 'tamil', 'telugu']);
  for (const signs of Object.values(SIGNS))
    for (const sign of '।॥\u200c\u200d') expect(lettersOf(signs)).toContain(sign);
});
