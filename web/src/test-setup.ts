/* Node.js 18 keeps WebCrypto in a module; browsers and later Node.js have it as a global. Tests only. */
import { webcrypto } from 'node:crypto';

if (!('crypto' in globalThis)) Object.defineProperty(globalThis, 'crypto', { value: webcrypto });
