import { describe, expect, it } from 'vitest';
import { isTag, negotiate } from './locales';

describe('the language of a browser', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['ja', 'fr-CA', 'en'], 'fr'],
    [['hi-IN'], 'hi'],
    [['bn-BD', 'en'], 'bn'],
    [['bn-IN'], 'bn'],
    [['pl-PL', 'en'], 'pl'],
    [['ru-RU', 'en'], 'ru'],
    [['ro-MD', 'ru'], 'ro'],
    [['es-419', 'en'], 'es'],
    [['ca', 'es-ES'], 'es'],
    [['tr-TR', 'en'], 'tr'],
    [['ta-IN', 'en'], 'ta'],
    [['ta-LK'], 'ta'],
    [['sr'], 'sr-Latn'],
    [['sr-RS'], 'sr-Latn'],
    [['sr-Cyrl-RS'], 'sr-Cyrl'],
    [['sr-Latn-ME'], 'sr-Latn'],
    [['hr-HR', 'en'], 'hr'],
    [['bs-BA'], 'hr'],
    [['cnr'], 'sr-Latn'],
    [['te-IN', 'en'], 'te'],
    [['en-GB', 'de'], 'en'],
    [['ja', 'not a tag', 'x'], 'en'],
    [['ar-XB', 'en-XA'], 'en'],
    [[], 'en'],
  ])('%j → %s', (wanted, tag) => {
    expect(negotiate(wanted)).toBe(tag);
  });

  it('is one of the known', () => {
    expect(isTag('sr-Cyrl')).toBe(true);
    for (const other of ['sr', 'toString', null, 7]) expect(isTag(other)).toBe(false);
  });
});
