/* The player's own settings of the page. */
import { load, save } from './api/storage';
import { language } from './messages/language.svelte';
import { isTag, negotiate, type LocaleTag } from './messages/locales';

const LANGUAGE = 'language';

class Prefs {
  fourColour = $state(load('four-colour', false));

  /** Before the page is mounted: it speaks the language chosen here once, or else the first of the browser's that it has. */
  async start(): Promise<void> {
    this.apply();
    const chosen = load<unknown>(LANGUAGE, null);
    try {
      await language.speak(isTag(chosen) ? chosen : negotiate(navigator.languages));
    } catch {
      await language.speak('en');
    }
  }

  /** Speaks it from now on, also at the next visit. */
  async speak(tag: LocaleTag): Promise<void> {
    await language.speak(tag);
    save(LANGUAGE, tag);
  }

  apply(): void {
    document.documentElement.toggleAttribute('data-four-colour', this.fourColour);
  }

  toggleFourColour(): void {
    this.fourColour = !this.fourColour;
    save('four-colour', this.fourColour);
    this.apply();
  }
}

export const prefs = new Prefs();

export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
