import { expect, it } from 'vitest';
import { LISTED } from './listed';
import { localeOf, OFFERED } from './locales';

it('lists every language by its own name, script by script', () => {
  const names = LISTED.map((tag) => localeOf(tag).name);
  expect(new Set(LISTED)).toEqual(new Set(OFFERED));
  expect(names).toEqual([
    'Deutsch',
    'English',
    'Español',
    'Français',
    'Hrvatski',
    'Polski',
    'Română',
    'Srpski',
    'Türkçe',
    'Русский',
    'Српски',
    'हिन्दी',
    'বাংলা',
    'தமிழ்',
    'తెలుగు',
  ]);
});
