/* The plural categories of whole numbers, from tests/texts/plurals.json, which the tests of emails use as
 * well. */
import MessageFormat from '@messageformat/core';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OFFERED } from '../../src/lib/messages/locales';

type Examples = Record<string, Record<string, number[]>>;

const FILE = new URL('../../../tests/texts/plurals.json', import.meta.url);
const EXAMPLES = JSON.parse(readFileSync(FILE, 'utf8')) as Examples;
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'];

function compiled(tag: string) {
  const forms = CATEGORIES.map((category) => `${category} {${category}}`).join(' ');
  return new MessageFormat(tag, { strictPluralKeys: false }).compile(`{n, plural, ${forms}}`);
}

it.each(Object.entries(EXAMPLES))('%s', (tag, examples) => {
  const said = compiled(tag);
  const rules = new Intl.PluralRules(tag);
  for (const [category, numbers] of Object.entries(examples))
    for (const n of numbers) expect([n, said({ n }), rules.select(n)]).toEqual([n, category, category]);
});

/* Spanish and French have a category for whole millions: "1 000 000 de pièces". */
it('a category without a form uses the form other', () => {
  const said = new MessageFormat('es').compile('{n, plural, one {# ficha} other {# fichas}}');
  expect(said({ n: 1000000 })).toBe('1.000.000 fichas');
});

it.each(OFFERED)('%s has the same categories in sentences and in Intl', (tag) => {
  const said = compiled(tag);
  const rules = new Intl.PluralRules(tag);
  for (const n of [...Array.from({ length: 1001 }, (_, n) => n), 1000000])
    expect([n, said({ n })]).toEqual([n, rules.select(n)]);
});
