/* Tests only. The page speaks English, as it does once it is mounted. Node.js 18 keeps WebCrypto in a module; browsers and
 * later Node.js have it as a global. */
import { webcrypto } from 'node:crypto';
import { language } from '$lib/messages/language.svelte';

await language.speak('en');
await language.all();

if (!('crypto' in globalThis)) Object.defineProperty(globalThis, 'crypto', { value: webcrypto });
