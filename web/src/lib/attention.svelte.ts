/* Calls a player back to a hidden page with the tab's title and icon and the badge of the installed app.
 * They are reset when the player returns, or when the reason for the call no longer exists. */

const ICONS = { plain: '/icon.svg', marked: '/icon-turn.svg' };

type Badge = Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>>;

class Attention {
  private wanted = $state('');
  private hidden = $state(document.hidden);
  /** Replaces the page's title; '' without a call. */
  readonly words = $derived(this.hidden ? this.wanted : '');

  constructor() {
    document.addEventListener('visibilitychange', () => (this.hidden = document.hidden));
  }

  /** Shows these words whenever the page is hidden, until the returned function is called. */
  call(words: string): () => void {
    this.wanted = words;
    return () => (this.wanted = '');
  }
}

export const attention = new Attention();

/** Marks the icon of the tab and of the installed app, or removes the mark. */
export function mark(on: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = on ? ICONS.marked : ICONS.plain;
  const app: Badge = navigator;
  const done = on ? app.setAppBadge?.() : app.clearAppBadge?.();
  done?.catch(() => undefined); // an app that is not installed has no badge
}
