/* Decides when the page's fonts are loaded. Fallbacks with the same metrics are shown until then, so that on
 * a slow connection the fonts can load after everything that is needed to use the page. */
import { load, save } from './api/storage';

const HERE = 'fonts';

/** From now on, all text uses the page's fonts as soon as they arrive (src/fonts/faces.css). */
export function useFonts(): void {
  const { classList } = document.documentElement;
  if (classList.contains('own-fonts')) return;
  classList.add('own-fonts');
  Promise.all(['1em "Rummy Sans"', '1em "Rummy Serif"'].map((font) => document.fonts.load(font))).then(
    () => save(HERE, true),
    () => undefined, // each text requests its font again
  );
}

/** Uses the fonts from the start if they were loaded before, because the browser most likely has them in
 * its cache. */
export function useKeptFonts(): void {
  if (load(HERE, false)) useFonts();
}
