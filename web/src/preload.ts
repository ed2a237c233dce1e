/* Runs first, while the page's scripts load. Fetches the texts of the page's language, the files of the pages
 * where most visits begin (scripts/preload.ts; main.ts fetches those of any other page), and the data that a
 * table needs. The code that needs them fetches them again, so a failure here is not an error. */
import { randomId } from '../../sdk/typescript/src/ids';
import { askEarly } from './lib/api/early';
import { load } from './lib/api/storage';
import { useKeptFonts } from './lib/fonts';
import { showColorScheme } from './lib/color-scheme';
import type { Part } from './lib/messages/catalog';
import { formatsOf } from './lib/messages/locales';
import { settingsOf } from './lib/settings';
import { spoken } from './lib/startup-language';
import { fetchTexts } from 'virtual:messages/catalogs';

/** Fetches files without running them, because an import would add styles to the document, for which the
 * other scripts would wait. */
function fetchFiles(page: string): void {
  const files = document.querySelector<HTMLMetaElement>(`meta[name="files-of-${page}"]`)?.content ?? '';
  for (const file of files.split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    if (file.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style' });
    else link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  }
}

/** A slow browser takes 60 ms to format the first number. */
function warmNumbers(): void {
  new Intl.NumberFormat(formatsOf(spoken())).format(0.5);
}

showColorScheme(settingsOf(load<unknown>('settings', null)).look);
const fetchPart = (part: Part) => void fetchTexts(spoken(), part).catch(() => undefined);
fetchPart('entrance');
const inside = load<unknown>('session', null) !== null;
const atTable = inside && /^\/table\/\d+$/.test(location.pathname);
if (inside && (atTable || location.pathname === '/')) fetchPart('first');
if (location.pathname === '/') fetchFiles(inside ? 'lobby' : 'enter');
else if (atTable) {
  const table = location.pathname.replace('/table/', '');
  fetchFiles('table');
  askEarly('GET', '/v1/me');
  askEarly('POST', `/v1/tables/${table}/tickets`, { 'Idempotency-Key': randomId() });
  setTimeout(warmNumbers);
} else {
  fetchPart('first');
  fetchPart('later');
}
useKeptFonts();
