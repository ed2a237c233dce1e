/* French has a space before colons, semicolons, question marks, and exclamation marks, and inside quotation
 * marks. These spaces are non-breaking: U+00A0 before a colon and inside quotation marks, the narrow U+202F
 * before the others. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import page from '../../src/lib/messages/fr.json';

const MAILS = fileURLToPath(new URL('../../../mail/templates/fr/', import.meta.url));
const PROGRAMS =
  /^Subject:|\|(?:=\d+|[a-z]+):|\{\{site\}\}\S*|\{\{\w+:\w+\}\}|https?:\S*|\b\d{4}-\d\d-\d\dT[\d:]+Z/gm;
const WRONG = /[^\u00a0](?=[:»])|[^\u202f](?=[;!?])|«(?!\u00a0)/u;

const mails = readdirSync(MAILS)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => [name, readFileSync(MAILS + name, 'utf8')] as const);

it.each(['Oui?', 'Oui ?', 'Oui\u00a0?', 'Oui\u202f ?', 'Ceci :', '« ceci\u00a0»', '«\u00a0ceci »'])(
  '%j is wrong',
  (text) => {
    expect(text).toMatch(WRONG);
  },
);

it.each([
  ['the page', Object.entries(page)],
  ['the mails', mails],
])('%s has these spaces', (_, texts) => {
  expect(texts.filter(([, text]) => WRONG.test(text.replaceAll(PROGRAMS, '')))).toEqual([]);
});
