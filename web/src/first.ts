/* Before all else, while the scripts of the page are on their way: asks for the sentences in which it will speak, for the
 * files of the page where most visits begin (scripts/first.ts; those of any other main.ts asks for), and for what a table
 * has to know. Whoever needs them asks again, so what fails here is no error. */
import { randomId } from '../../sdk/typescript/src/ids';
import { askEarly } from './lib/api/early';
import { load } from './lib/api/storage';
import { useKeptFonts } from './lib/fonts';
import { CATALOGS } from './lib/messages/catalogs';
import { formatsOf } from './lib/messages/locales';
import { spoken } from './lib/spoken';

/** Fetched and not yet run: an import would put styles into the document, for which the other scripts would wait. */
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

/** The first number that a browser writes takes a slow one 60 ms. */
function warmNumbers(): void {
  new Intl.NumberFormat(formatsOf(spoken())).format(0.5);
}

const sentences = CATALOGS[spoken()];
sentences.first().catch(() => undefined);
const inside = load<unknown>('session', null) !== null;
if (location.pathname === '/') fetchFiles(inside ? 'lobby' : 'enter');
else if (inside && /^\/table\/\d+$/.test(location.pathname)) {
  const table = location.pathname.replace('/table/', '');
  fetchFiles('table');
  askEarly('GET', '/v1/me');
  askEarly('POST', `/v1/tables/${table}/tickets`, { 'Idempotency-Key': randomId() });
  setTimeout(warmNumbers);
} else sentences.later().catch(() => undefined);
useKeptFonts();
