import { describe, expect, it } from 'vitest';
import { written } from './files';
import { cyrillic } from './cyrillic';
import { rewritten } from './sentence';

describe('Serbian in Cyrillic letters', () => {
  it.each([
    ['Ljubičasti džoker, njegov špil, đak, žeton, ćup', 'Љубичасти џокер, његов шпил, ђак, жетон, ћуп'],
    ['DŽOKER Džoker LJ Lj NJ Nj', 'ЏОКЕР Џокер Љ Љ Њ Њ'],
    ['abvgdđežzijklmnoprstćufhcčš', 'абвгдђежзијклмнопрстћуфхцчш'],
    ['Injekcija i konjugacija, nadživeti', 'Инјекција и конјугација, надживети'],
    [
      'Neinformisan anjon, odživeti, podžanr, konjektura',
      'Неинформисан анјон, одживети, поджанр, конјектура',
    ],
    [
      'Page Up, Home i End, Shift, 4 MiB, Transfer-Encoding',
      'Page Up, Home и End, Shift, 4 MiB, Transfer-Encoding',
    ],
    ['Rummy 51 i QR kod', 'Rummy 51 и QR код'],
    ['Hand! Deset handova, bonus za hand, posle handa', 'Хенд! Десет хендова, бонус за хенд, после хенда'],
    ['Još 5 h 20 min 3 s', 'Још 5 ч 20 мин 3 с'],
    ['Talon: uzmi (F)', 'Талон: узми (F)'],
    ['2026-11-20T19:30:00Z na https://primer.rs/lj?x=1', '2026-11-20T19:30:00Z на https://primer.rs/lj?x=1'],
    ['z\u030Ceton', 'жетон'],
  ])('%s', (latin, expected) => {
    expect(cyrillic(latin)).toBe(expected);
  });

  it('leaves places alone', () => {
    expect(rewritten('{n, plural, one {# karta} few {# karte} other {# karata}} za {nick}', cyrillic)).toBe(
      '{n, plural, one {# карта} few {# карте} other {# карата}} за {nick}',
    );
  });

  it('mixes no alphabets within a word of our messages', () => {
    const mixed = Object.entries(written('sr-Latn')).filter(([, message]) =>
      /\p{Script=Latin}\p{Script=Cyrillic}|\p{Script=Cyrillic}\p{Script=Latin}/u.test(
        rewritten(message, cyrillic),
      ),
    );
    expect(mixed).toEqual([]);
  });
});
