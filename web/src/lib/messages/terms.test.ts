/* One word for one thing of the game in each language; docs/development.md has the list. Here stand the words that are
 * another's place. */
import { expect, it } from 'vitest';
import de from './de.json';
import en from './en.json';
import fr from './fr.json';
import hi from './hi.json';
import serbian from './sr-Latn.json';

const STRAY: Record<string, [file: object, stray: string, but?: string[]]> = {
  'discard, not throw': [en, 'throws?|thrown|threw'],
  'Kombination, not Meldung': [de, 'Auslagen?|Meldung(?:en)?', ['chat.send_report']],
  'abwerfen, not ablegen': [de, 'abgelegt|Ablegen'],
  'robot, not bot': [fr, 'bots?(?!,)'],
  'défausser, not jeter': [fr, 'jet(?:er|ez|té|tée)'],
  'valeur, not rang': [fr, 'rang'],
  'joker volant, not carte libre': [fr, 'cartes? libres?'],
  'मेल्ड, not मेल': [hi, 'मेलों|मेल(?= (?:में|के|को|बिछ))'],
  'सीक्वेंस, not क्रम': [hi, 'क्रमों|क्रम(?= (?:पर|को|में))'],
  'टेबल, not मेज़': [hi, 'मेज़(?!बान)\\p{M}*'],
  'खुला ढेर, not ढेरी': [hi, 'ढेरी|ढेरियों'],
  'vrednost, not rang': [serbian, 'ranga?(?!-)'],
};

it.each(Object.entries(STRAY))('%s', (_, [file, stray, but = []]) => {
  const word = new RegExp(`(?<![\\p{L}\\p{M}])(?:${stray})(?![\\p{L}\\p{M}])`, 'u');
  const found = Object.entries(file).filter(([key, text]) => word.test(text as string) && !but.includes(key));
  expect(found).toEqual([]);
});
