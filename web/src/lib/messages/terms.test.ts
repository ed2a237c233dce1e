/* One word per game term in each language; docs/development.md has the list. Here are the words that would
 * replace them by mistake. */
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
  'Erstmeldung, not Eröffnung': [
    de,
    '[Ee]röffn\\p{L}*',
    ['open.form', 'open.opening', 'open.submit', 'join.full.about', 'problem.not_host'],
  ],
  'Joker, not wild': [de, '[Ww]ild(?:e[nr]?)?(?!,)'],
  'optional, not freiwillig': [de, 'freiwillig'],
  'Nachziehstapel, not Talon': [de, '(?<!\\()Talon'],
  'robot, not bot': [fr, 'bots?(?!,)'],
  'défausser, not jeter': [fr, 'jet(?:er|ez|té|tée)'],
  'valeur, not rang': [fr, 'rang'],
  'carte joker, not joker volant': [fr, 'jokers? volants?|cartes? libres?'],
  'pioche, not talon': [fr, '[Tt]alons?'],
  'pièces, not argent, which is money': [fr, '(?<!ièces? d’)argent'],
  'fausse annonce, not annonce fausse': [fr, '[Aa]nnonce fausse'],
  'मेल्ड, not मेल': [hi, 'मेलों|मेल(?= (?:में|के|को|बिछ))'],
  'सीक्वेंस, not क्रम': [hi, 'क्रमों|क्रम(?= (?:पर|को|में))'],
  'टेबल, not मेज़': [hi, 'मेज़(?!बान)\\p{M}*'],
  'ओपन डेक and क्लोज़्ड डेक, not ढेर': [hi, 'ढेर(?:ी|ों|ियों)?'],
  'निकनेम, not उपनाम': [hi, 'उपनाम'],
  'गोल्ड and सिल्वर, not सोना and चाँदी': [hi, 'सोन[ाे]|चाँदी'],
  'सेकंड, not से.': [hi, 'से\\.'],
  'vrednost, not rang': [serbian, 'ranga?(?!-)'],
  'talon, not gomila': [serbian, 'gomil\\p{L}*'],
  'džoker, not divlja karta': [serbian, 'divlj\\p{L}*'],
  'imejl, not mejl': [serbian, 'mejl\\p{L}*|e-pošt\\p{L}*'],
};

it.each(Object.entries(STRAY))('%s', (_, [file, stray, but = []]) => {
  const word = new RegExp(`(?<![\\p{L}\\p{M}])(?:${stray})(?![\\p{L}\\p{M}])`, 'u');
  const found = Object.entries(file).filter(([key, text]) => word.test(text as string) && !but.includes(key));
  expect(found).toEqual([]);
});
