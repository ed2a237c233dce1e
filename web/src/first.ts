/* Before all else, while the scripts of the page are on their way: asks for the sentences in which it will speak, and only
 * then for its fonts, without which everything can be drawn and used (others of the same measures stand in for them). Whoever
 * needs them asks again, so what fails here is no error. */
import { CATALOGS } from './lib/messages/catalogs';
import { spoken } from './lib/spoken';

const fonts = () =>
  Promise.all(['1em "Rummy Sans"', '1em "Rummy Serif"'].map((font) => document.fonts.load(font)));
CATALOGS[spoken()]()
  .then(fonts)
  .catch(() => undefined);
