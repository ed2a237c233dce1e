/* The player's own settings of the page. */
import { load, save } from './api/storage';

class Prefs {
  fourColour = $state(load('four-colour', false));

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
prefs.apply();

export function reducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
