import { afterEach, describe, expect, it } from 'vitest';
import { language } from './language.svelte';
import { TAGS } from './locales';
import { say } from './messages';

afterEach(() => language.speak('en'));

describe('the language of the page', () => {
  it('changes what is said and how numbers are written', async () => {
    const purses = () => say('nav.purses.amounts', { silver: 1234567, gold: 1 });
    expect(purses()).toContain('1,234,567');
    await language.speak('ar-XB');
    expect(purses()).toMatch(/\u202e.*1,234,567/u);
    expect(language.formats).toBe('en');
  });

  it('is the one asked for last', async () => {
    await Promise.all([language.speak('de'), language.speak('fr')]);
    expect(language.tag).toBe('fr');
  });

  it.each(TAGS)('%s has a catalog', async (tag) => {
    await language.speak(tag);
    expect(language.tag).toBe(tag);
    expect(language.catalog['nav.games']).toBeTypeOf('string');
  });
});
