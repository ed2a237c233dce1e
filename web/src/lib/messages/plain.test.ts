import { expect, it } from 'vitest';
import { plain, withoutTurkishI } from './plain';

it.each([
  ['Zoë', 'zoe'],
  ['Čeda', 'ceda'],
  ['SİL', 'sil'],
  ['SIL', 'sil'],
  ['Işıl', 'isil'],
  ['नूर', 'नूर'],
])('plain %s is %s', (text, expected) => {
  expect(plain(text)).toBe(expected);
});

it('a code has no letter of the Turkish keyboard alone', () => {
  expect(withoutTurkishI('MFRG-İIıi')).toBe('MFRG-IIIi');
});
