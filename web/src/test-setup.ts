/* Tests only. Sets the language to English, as on a mounted page. Node.js 18 has WebCrypto in a module;
 * browsers and later Node.js have it as a global. */
import { webcrypto } from 'node:crypto';
import { language } from '$lib/messages/language.svelte';

await language.speak('en');
await language.all();

if (!('crypto' in globalThis)) Object.defineProperty(globalThis, 'crypto', { value: webcrypto });
