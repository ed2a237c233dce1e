/* The player's settings for the page. They are stored in this browser and set on <html>, where style sheets
 * read them. */
import { load, save } from './api/storage';
import { onSystemColorScheme, showColorScheme } from './color-scheme';
import { language } from './messages/language.svelte';
import { isTag, type LocaleTag, type Offered } from './messages/locales';
import { settingsOf, type Settings } from './settings';
import { CHOSEN, OF_ACCOUNT, spoken } from './startup-language';
import { part } from '$lib/parts/parts.svelte';

const SETTINGS = 'settings';

class Prefs {
  #settings = $state(settingsOf(load<unknown>(SETTINGS, null)));

  get now(): Readonly<Settings> {
    return this.#settings;
  }

  /** Called before the page is mounted, so that nothing is drawn that these settings would change. */
  async start(): Promise<void> {
    this.apply();
    onSystemColorScheme(() => this.apply());
    try {
      await language.speak(spoken());
    } catch {
      await language.speak('en');
    }
  }

  /** Switches to this language, also for later visits, once it has loaded. False if the player has chosen
   * another one meanwhile. */
  async speak(tag: LocaleTag): Promise<boolean> {
    const switched = await language.speak(tag, part);
    if (switched) save(CHOSEN, tag);
    return switched;
  }

  /** Uses the language of the signed-in account if none was chosen here; null: no one is signed in. */
  async follow(tag: Offered | null): Promise<void> {
    save(OF_ACCOUNT, tag);
    if (tag !== null && !isTag(load<unknown>(CHOSEN, null))) await language.speak(tag, part);
  }

  /** Takes effect now and for later visits. An invalid value becomes the default. */
  set(change: Partial<Settings>): void {
    this.#settings = settingsOf({ ...this.#settings, ...change });
    save(SETTINGS, this.#settings);
    this.apply();
  }

  private apply(): void {
    const root = document.documentElement;
    const { fourColour, leftHanded, look, theme, speed } = this.#settings;
    root.toggleAttribute('data-four-colour', fourColour);
    root.toggleAttribute('data-left-handed', leftHanded);
    Object.assign(root.dataset, { theme, speed });
    showColorScheme(look);
  }
}

export const prefs = new Prefs();

function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

const PACE = { off: 0, calm: 1.7, normal: 1, quick: 0.55 };

/** Multiplier for the usual animation times; 0: no motion. The system's preference for reduced motion takes
 * precedence. */
export function pace(): number {
  return reducedMotion() ? 0 : PACE[prefs.now.speed];
}
