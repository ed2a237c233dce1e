/* Before all else, while the scripts of the page are on their way: asks for the sentences in which it will speak. Whoever
 * needs them asks again, so what fails here is no error. */
import { CATALOGS } from './lib/messages/catalogs';
import { spoken } from './lib/spoken';

CATALOGS[spoken()]().catch(() => undefined);
