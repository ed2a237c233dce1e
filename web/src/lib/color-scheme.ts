/* Whether the page is light or dark: as set by the player, or else by their system. Style sheets read
 * `data-look` of <html>. */
import type { Settings } from './settings';

const LIGHT = '(prefers-color-scheme: light)';
/** The browser's toolbar matches the background of the page: --night-1 in app.css. */
const BAR = { dark: '#15102a', light: '#fbf3e4' } as const;

export function colorSchemeOf(setting: Settings['look'], systemIsLight: boolean): keyof typeof BAR {
  if (setting !== 'system') return setting;
  return systemIsLight ? 'light' : 'dark';
}

export function showColorScheme(setting: Settings['look']): void {
  const look = colorSchemeOf(setting, matchMedia(LIGHT).matches);
  document.documentElement.dataset['look'] = look;
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = BAR[look];
}

export function onSystemColorScheme(act: () => void): void {
  matchMedia(LIGHT).addEventListener('change', act);
}
