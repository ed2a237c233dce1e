/* What calls a player back to a page that nobody looks at: the title of its tab and its icon, and the badge of the app
 * where it is installed. All of it is taken back when they look, or when nothing is wanted of them any more. */

const ICONS = { plain: '/icon.svg', marked: '/icon-turn.svg' };

type Badge = Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>>;

class Attention {
  private wanted = $state('');
  private hidden = $state(document.hidden);
  /** Stands in place of the page's name; '' when nobody is to be called. */
  readonly words = $derived(this.hidden ? this.wanted : '');

  constructor() {
    document.addEventListener('visibilitychange', () => (this.hidden = document.hidden));
  }

  /** Calls by these words whenever the page is hidden, until the function that this answers is called. */
  call(words: string): () => void {
    this.wanted = words;
    return () => (this.wanted = '');
  }
}

export const attention = new Attention();

/** Marks the icon of the tab and of the installed app, or takes the mark away. */
export function mark(on: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon) icon.href = on ? ICONS.marked : ICONS.plain;
  const app: Badge = navigator;
  const done = on ? app.setAppBadge?.() : app.clearAppBadge?.();
  done?.catch(() => undefined); // an app that is not installed has none
}
