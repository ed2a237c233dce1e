import { describe, expect, it } from 'vitest';
import { localeOf, TAGS } from '../../src/lib/messages/locales';
import { sentencesOf, written } from './files';
import { placesOf, type Place } from './sentence';

const english = written('en');
const translated = TAGS.filter((tag) => localeOf(tag).made === undefined && tag !== 'en');

/** The plural categories that numbers up to 1000 need in a language. */
function categories(tag: string, type: 'cardinal' | 'ordinal'): string[] {
  const rules = new Intl.PluralRules(tag, { type });
  return [...new Set(Array.from({ length: 1001 }, (_, n) => rules.select(n)))];
}

function missing(place: Place, tag: string): string[] {
  if (place.kind !== 'plural' && place.kind !== 'selectordinal') return [];
  const needed = categories(tag, place.kind === 'plural' ? 'cardinal' : 'ordinal');
  const exact = place.cases.filter((key) => key.startsWith('=')).map((key) => key.slice(1));
  const type = place.kind === 'plural' ? 'cardinal' : 'ordinal';
  const rules = new Intl.PluralRules(tag, { type });
  /* A category that only exact cases would reach needs no separate case. */
  const reached = (category: string) =>
    Array.from({ length: 1001 }, (_, n) => n).some(
      (n) => rules.select(n) === category && !exact.includes(String(n)),
    );
  return needed.filter((category) => reached(category) && !place.cases.includes(category));
}

/** Name and kind of each placeholder. For a select, also its cases, because the program defines them. */
function shape(message: string): string[] {
  const kinds = placesOf(message).map(({ name, kind, cases }) => {
    if (kind === 'select') return `${name} select ${[...cases].sort().join()}`;
    return `${name} ${kind === 'value' ? 'value' : 'number'}`;
  });
  return [...new Set(kinds)].sort();
}

describe.each(['en', ...translated] as const)('%s', (tag) => {
  const own = written(tag);

  it('has every message and no other, in the order of their keys', () => {
    expect(Object.keys(own)).toEqual(Object.keys(english).sort());
  });

  it('has the places of the English message in each', () => {
    const others = Object.entries(own).filter(([key, message]) => {
      const allowed = shape(english[key] ?? '');
      return (
        shape(message).some((place) => !allowed.includes(place) && !counts(place, allowed)) ||
        allowed.some((place) => !named(message, place))
      );
    });
    expect(others).toEqual([]);
  });

  it('has each plural that its numbers need', () => {
    const lacking = Object.entries(own).filter(([, message]) =>
      placesOf(message).some((place) => missing(place, tag).length > 0),
    );
    expect(lacking).toEqual([]);
  });

  it('has no sentence that is empty, or begins or ends with a blank', () => {
    expect(Object.entries(own).filter(([, message]) => message.trim() !== message || message === '')).toEqual(
      [],
    );
  });
});

/** Placeholders that some English message uses as a number. A translation may use a plural where English
 * only inserts the value: "51 poen". */
const counted = new Set(
  Object.values(english)
    .flatMap(shape)
    .filter((place) => place.endsWith(' number')),
);
function counts(place: string, allowed: string[]): boolean {
  return counted.has(place) && allowed.includes(place.replace(/ number$/, ' value'));
}

/** A value may be part of a plural in one language and not in another. */
function named(message: string, place: string): boolean {
  const [name] = place.split(' ');
  return placesOf(message).some((one) => one.name === name);
}

it.each(translated)('%s is translated: few sentences are as long as the English ones and the same', (tag) => {
  const same = Object.entries(written(tag)).filter(
    ([key, message]) =>
      message === english[key] &&
      (message.replaceAll(/\{[^}]*\}/g, '').match(/\p{L}{2,}/gu) ?? []).length > 3,
  );
  expect(same).toEqual([]);
});

it.each(TAGS)('%s has a sentence for each key', (tag) => {
  expect(Object.keys(sentencesOf(tag)).sort()).toEqual(Object.keys(english));
});
