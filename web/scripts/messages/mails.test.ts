/* Emails exist in all languages of the page. As for the page, Serbian in Cyrillic letters is generated from
 * the Latin files: with the flag -u, this test writes mail/templates/sr-Cyrl. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { negotiate, OFFERED } from '../../src/lib/messages/locales';
import { cyrillic } from './cyrillic';

const MAIL = fileURLToPath(new URL('../../../mail/', import.meta.url));
const LATIN = `${MAIL}templates/sr-Latn/`;
/* The parts that programs read: the word before the subject, links, placeholders, and the keys of plural
 * forms. */
const KEPT = /(^Subject: |\{\{site\}\}\S*|\{\{\w+(?::\w+)?\}\}|\{\{\w+(?=\|)|\|(?:=\d+|[a-z]+):)/;

/** A template in Cyrillic letters. */
function inCyrillic(template: string): string {
  return template
    .split(KEPT)
    .map((part, i) => (i % 2 ? part : cyrillic(part)))
    .join('');
}

describe('the languages of emails', () => {
  const rows = readFileSync(`${MAIL}languages.def`, 'utf8');

  it('are those of the page', () => {
    const tags = [...rows.matchAll(/^MAIL_LANGUAGE\(\w+, "([\w-]+)"\)$/gm)].map(([, tag]) => tag);
    expect(tags).toEqual(OFFERED);
    expect(readdirSync(`${MAIL}templates`).sort()).toEqual([...OFFERED].sort());
  });

  it('are as near to others as on the page', () => {
    const near = [...rows.matchAll(/^MAIL_NEAR\("(\w+)", "([\w-]+)"\)$/gm)];
    expect(near.map(([, tag]) => tag)).toContain('sr');
    for (const [, tag = '', as] of near) expect(negotiate([tag])).toBe(as);
  });
});

describe('emails in Cyrillic letters', () => {
  it('keeps what a program reads', () => {
    expect(inCyrillic('Subject: Nalog {{nickname}}\n\nNa {{site}}/verify#{{token}} je link.\n')).toBe(
      'Subject: Налог {{nickname}}\n\nНа {{site}}/verify#{{token}} је линк.\n',
    );
  });

  it('keeps the forms of dates', () => {
    expect(inCyrillic('Do {{until:time}}, to jest {{day:date}}.')).toBe(
      'До {{until:time}}, то јест {{day:date}}.',
    );
  });

  it('keeps the keys of plural forms', () => {
    expect(inCyrillic('{{left|=0:Nijedan kod|one:# kod|few:# koda}}.')).toBe(
      '{{left|=0:Ниједан код|one:# код|few:# кода}}.',
    );
  });

  it.each(readdirSync(LATIN).filter((name) => name.endsWith('.txt')))(
    '%s is made of the Latin one',
    async (name) => {
      const made = inCyrillic(readFileSync(LATIN + name, 'utf8'));
      expect(made).not.toMatch(/\p{Script=Latin}\p{Script=Cyrillic}|\p{Script=Cyrillic}\p{Script=Latin}/u);
      await expect(made).toMatchFileSnapshot(`${MAIL}templates/sr-Cyrl/${name}`);
    },
  );
});
