/* The page that is shown: the one before stays until the files of the next are here. */
import type { Component } from 'svelte';
import type { Page } from '$lib/addresses';
import { useFonts } from '$lib/fonts';
import { language } from '$lib/messages/language.svelte';
import { entering } from '$lib/nav/entering.svelte';
import { ahead, entrance, needsPlayer, routeOf, type Frame, type Route } from './routes';

interface Shown {
  /** Another key: made anew. */
  key: string;
  frame: Frame;
  Draws: Component<Record<string, unknown>>;
  props: Record<string, unknown>;
}

/** Of these there is little to see before the server has told of the table: they say themselves when it is drawn. */
const LIVE: readonly Page['name'][] = ['table', 'watch'];

class Pages {
  shown = $state.raw<Shown | null>(null);
  /** The files of the page asked for last could not be fetched. */
  failed = $state(false);
  private wanted = '';

  /** me: the player's own number; null: nobody is logged in. */
  show(page: Page, me: string | null): void {
    const wanted = routeOf(page, me ?? '');
    const asked = me === null && entering.wanted;
    const outside = asked || (me === null && needsPlayer(wanted));
    const route = outside ? entrance(page, asked ? () => entering.end() : undefined) : wanted;
    const key = [outside ? 'enter' : '', page.name, ...Object.values(wanted.props)].join(' ');
    if (key === this.wanted && !this.failed) return;
    this.wanted = key;
    void this.load(key, route, LIVE.includes(page.name));
  }

  private async load(key: string, { frame, load, props }: Route, drawnLater: boolean): Promise<void> {
    try {
      const Draws = await load();
      if (key !== this.wanted) return;
      this.shown = { key, frame, Draws, props };
      this.failed = false;
      if (!drawnLater) {
        useFonts();
        void language.all();
      }
      if (frame === 'page' || frame === 'open') ahead();
    } catch {
      this.failed = key === this.wanted;
    }
  }
}

export const pages = new Pages();
