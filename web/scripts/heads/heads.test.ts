/* The texts for search engines and messengers: every language has the same pages and placeholders. */
import { describe, expect, it } from 'vitest';
import { OFFERED } from '../../src/lib/messages/locales';
import { ABOUT, PLAIN } from '../../src/lib/pages-known';
import { headsJson, rows, textsOf } from './heads';
import { PREVIEWS } from './previews';

const placesOf = (text = '') => [...new Set(text.match(/\{\w+\}/g))];

describe('heads.json', () => {
  const json = JSON.parse(headsJson()) as {
    texts: Record<string, Record<string, string | string[]>>;
    previews: Record<string, string>;
  };

  it.each(OFFERED)('has every text in %s, with the same places', (tag) => {
    const [own, english] = [textsOf(tag), textsOf('en')];
    expect(Object.keys(own)).toEqual(Object.keys(english));
    for (const [name, { title }] of Object.entries(english)) {
      const { title: one, description: two } = own[name] ?? {};
      expect([...placesOf(one), ...placesOf(two)], name).toEqual(expect.arrayContaining(placesOf(title)));
    }
    for (const texts of Object.values(json.texts[tag] ?? {})) expect([texts].flat()).not.toContain(undefined);
  });

  it('has a row for every page and names only existing pictures', () => {
    const known = [...PLAIN, ...Object.values(ABOUT).map(([name]) => name)];
    expect(rows().map(({ name }) => name)).toEqual(expect.arrayContaining([...known]));
    const drawn = [...Object.values(json.previews), ...rows().flatMap(({ preview }) => preview ?? [])];
    expect(PREVIEWS).toEqual(expect.arrayContaining(drawn));
  });

  it('converts Serbian to Cyrillic but leaves places alone', () => {
    expect(textsOf('sr-Cyrl')['player']?.title).toBe('{name} игра реми');
  });
});
