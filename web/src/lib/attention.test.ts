import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const icon = { href: '/icon.svg' };
let hide: (hidden: boolean) => void = () => undefined;

beforeEach(() => {
  vi.resetModules();
  icon.href = '/icon.svg';
  const page = {
    hidden: false,
    querySelector: () => icon,
    addEventListener: (_: string, heard: () => void) => {
      hide = (hidden) => {
        page.hidden = hidden;
        heard();
      };
    },
  };
  vi.stubGlobal('document', page);
});
afterEach(() => vi.unstubAllGlobals());

describe('a player', () => {
  it('is called while the page is hidden and something is wanted, and no longer', async () => {
    const { attention } = await import('./attention.svelte');
    const hangUp = attention.call('● Your turn');
    expect(attention.words).toBe('');
    hide(true);
    expect(attention.words).toBe('● Your turn');
    hide(false);
    expect(attention.words).toBe('');
    hide(true);
    hangUp();
    expect(attention.words).toBe('');
  });
});

describe('the mark', () => {
  it('comes to the icon and the app, and goes', async () => {
    const app = { setAppBadge: vi.fn(async () => undefined), clearAppBadge: vi.fn(async () => undefined) };
    vi.stubGlobal('navigator', app);
    const { mark } = await import('./attention.svelte');
    mark(true);
    expect([icon.href, app.setAppBadge.mock.calls.length]).toEqual(['/icon-turn.svg', 1]);
    mark(false);
    expect([icon.href, app.clearAppBadge.mock.calls.length]).toEqual(['/icon.svg', 1]);
  });

  it('needs no app, nor one that may be marked', async () => {
    vi.stubGlobal('navigator', { clearAppBadge: () => Promise.reject(new Error('not installed')) });
    const { mark } = await import('./attention.svelte');
    mark(true);
    mark(false);
    expect(icon.href).toBe('/icon.svg');
  });
});
