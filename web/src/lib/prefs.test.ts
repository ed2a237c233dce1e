/* Which language the page uses: the one chosen here, otherwise the account's, otherwise the browser's. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal('navigator', { languages: ['hi-IN'] });
  vi.stubGlobal('document', {
    documentElement: { toggleAttribute: () => true, dataset: {} },
    querySelectorAll: () => [],
  });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
});
afterEach(() => vi.unstubAllGlobals());

/** A visit: the page is loaded again. */
async function visit() {
  vi.resetModules();
  const { prefs } = await import('./prefs.svelte');
  const { language } = await import('./messages/language.svelte');
  await prefs.start();
  return { prefs, language };
}

it('the browser’s until a player signs in; then theirs until they sign out, also at the next visit', async () => {
  const first = await visit();
  expect(first.language.tag).toBe('hi');
  await first.prefs.follow('fr');
  expect(first.language.tag).toBe('fr');
  const second = await visit();
  expect(second.language.tag).toBe('fr');
  await second.prefs.follow(null);
  expect(second.language.tag).toBe('fr');
  expect((await visit()).language.tag).toBe('hi');
});

it('the one that was chosen here, whoever signs in', async () => {
  const { prefs, language } = await visit();
  await prefs.speak('de');
  await prefs.follow('fr');
  expect(language.tag).toBe('de');
  expect((await visit()).language.tag).toBe('de');
});

it('the browser’s, where what is kept is spoilt', async () => {
  kept.set('rummyd:language', '"xx"');
  kept.set('rummyd:account_language', '{"a":1}');
  expect((await visit()).language.tag).toBe('hi');
});
