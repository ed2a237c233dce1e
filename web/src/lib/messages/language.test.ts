import { afterEach, describe, expect, it, vi } from 'vitest';
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

  it.each(TAGS)('%s writes negative numbers with a minus sign', async (tag) => {
    await language.speak(tag);
    for (const text of [
      say('daily.unranked', { points: -1234 }),
      say('ghost.seat_of', { place: '', points: -1234, own: 'true' }),
      say('missed.hands', { n: 2, points: -1234 }),
      say('bonus.last', { n: -1234 }),
    ])
      expect(text).toMatch(/−1[.,\s]?234/);
  });

  it('is the one asked for last', async () => {
    await Promise.all([language.speak('de'), language.speak('fr')]);
    expect(language.tag).toBe('fr');
  });

  it('is the one asked for last, also when the one before it arrives after a retry', async () => {
    const retries: (() => void)[] = [];
    const german = language.speak('de', async (load) => {
      await new Promise<void>((go) => retries.push(go));
      return load();
    });
    expect(await language.speak('fr')).toBe(true);
    for (const retry of retries) retry();
    expect(await german).toBe(false);
    expect(language.tag).toBe('fr');
  });

  it.each(TAGS)('%s has a catalog', async (tag) => {
    await language.speak(tag);
    expect(language.tag).toBe(tag);
    expect(language.message('nav.games')).toBeTypeOf('string');
  });
});

describe('sentences that come later', () => {
  async function anew() {
    vi.resetModules();
    return [await import('./language.svelte'), await import('./messages')] as const;
  }

  it('are nothing until they are here, and no names of keys', async () => {
    const [{ language }, { say, sayOf, sayOr }] = await anew();
    await language.speak('en');
    expect(say('enter.guest')).toBe('Guest');
    expect(say('nav.games')).toBe('');
    await language.inside();
    expect(say('nav.games')).toBe('Games');
    expect(say('guide.astray')).toBe('');
    expect(sayOf('problem', 'name_taken')).toBe('');
    expect(sayOr('problem.name_taken', 'No such thing')).toBe('No such thing');
    await language.all();
    expect(say('guide.astray')).not.toBe('');
    expect(sayOf('problem', 'nonsense')).toBe('nonsense');
  });

  it('come with the first ones once they were asked for, in whatever order', async () => {
    const [{ language }, { say }] = await anew();
    void language.all();
    await language.speak('de');
    const german = say('guide.astray');
    expect(german).not.toBe('');
    await language.speak('fr');
    expect(say('guide.astray')).not.toMatch(new RegExp(`^(?:${german}|)$`));
  });
});
