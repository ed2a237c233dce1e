/* The current page. The previous page remains until the files of the next one are loaded. */
import type { Component } from 'svelte';
import type { Page } from '$lib/addresses';
import { useFonts } from '$lib/fonts';
import { whenIdle } from '$lib/idle';
import { language } from '$lib/messages/language.svelte';
import { entering } from '$lib/nav/entering.svelte';
import {
  ahead,
  bottom,
  entrance,
  isFramed,
  needsPlayer,
  routeOf,
  top,
  type Frame,
  type Route,
} from './routes';

interface Shown {
  /** The page is created again when the key changes. */
  key: string;
  frame: Frame;
  Draws: Component<Record<string, unknown>>;
  props: Record<string, unknown>;
}

/** These pages have little to show until the server has sent the table. They themselves report when they
 * are drawn. */
const LIVE: readonly Page['name'][] = ['table', 'watch'];

class Pages {
  shown = $state.raw<Shown | null>(null);
  /** The files of the last requested page could not be loaded. */
  failed = $state(false);
  private wanted = '';

  /** me: the player's id; null: no one is signed in. */
  show(page: Page, me: string | null): void {
    const wanted = routeOf(page, me ?? '');
    const asked = me === null && entering.wanted;
    const outside = asked || (me === null && needsPlayer(wanted));
    const route = outside ? entrance(page, asked ? () => entering.end() : undefined) : wanted;
    const key = [outside ? 'enter' : '', page.name, ...Object.values(wanted.props)].join(' ');
    if (key === this.wanted && !this.failed) return;
    this.wanted = key;
    const around = me !== null && isFramed(route) ? [top(), bottom()] : [];
    void this.load(key, route, LIVE.includes(page.name), around);
  }

  /** around: the frame, which may still be loading and is drawn together with the page. If it fails to
   * load, the page is drawn alone. */
  private async load(
    key: string,
    { frame, load, props }: Route,
    drawnLater: boolean,
    around: Promise<unknown>[],
  ): Promise<void> {
    try {
      const [Draws] = await Promise.all([load(), Promise.allSettled(around)]);
      if (key !== this.wanted) return;
      this.shown = { key, frame, Draws, props };
      this.failed = false;
      if (!drawnLater) {
        useFonts();
        whenIdle(() => void language.all());
      }
      if (frame === 'page' || frame === 'open') ahead();
    } catch {
      this.failed = key === this.wanted;
    }
  }
}

export const pages = new Pages();
