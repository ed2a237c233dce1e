/* Tests what the page's client adds to the client of the SDK. */
import { afterEach, expect, it, vi } from 'vitest';

const REFUSED = {
  type: '/docs#error-unavailable',
  code: 'unavailable',
  status: 503,
  title: 'x',
  detail: 'x',
  instance: '/',
  trace_id: '',
};

afterEach(() => vi.unstubAllGlobals());

it('tells of a refusal when the words for it are here', async () => {
  vi.resetModules();
  vi.stubGlobal('location', { origin: 'http://h' });
  vi.stubGlobal('localStorage', { getItem: () => null });
  const answer = () =>
    new Response(JSON.stringify(REFUSED), {
      status: 503,
      headers: { 'Content-Type': 'application/problem+json' },
    });
  vi.stubGlobal('fetch', () => Promise.resolve(answer()));
  const { language } = await import('$lib/messages/language.svelte');
  await language.speak('de');
  expect(language.awaits).toBe(true);
  const { api, need, sentence } = await import('./client');
  const said = await need(api.GET('/v1/rooms')).then(String, sentence);
  expect(said).toBe('Wir haben gerade technische Probleme. Bitte versuchen Sie es gleich noch einmal.');
});
