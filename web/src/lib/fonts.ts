/* When the page's own fonts are asked for. Others of the same measures stand in for them, so that on a slow line they come
 * behind all that is needed to use the page. */
import { load, save } from './api/storage';

const HERE = 'fonts';

/** From now on everything is written with them, as soon as they are here (src/fonts/faces.css). */
export function useFonts(): void {
  const { classList } = document.documentElement;
  if (classList.contains('own-fonts')) return;
  classList.add('own-fonts');
  Promise.all(['1em "Rummy Sans"', '1em "Rummy Serif"'].map((font) => document.fonts.load(font))).then(
    () => save(HERE, true),
    () => undefined, // each text asks again for the font that it is written with
  );
}

/** At the beginning, where the browser most likely has them from before. */
export function useKeptFonts(): void {
  if (load(HERE, false)) useFonts();
}
