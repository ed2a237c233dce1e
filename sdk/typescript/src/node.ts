/* The same as index.ts for Node.js, whose older versions lack two browser features. */
import { webcrypto } from 'node:crypto';
import { WebSocket } from 'ws';

if (!('WebSocket' in globalThis)) Object.defineProperty(globalThis, 'WebSocket', { value: WebSocket });
if (!('crypto' in globalThis)) Object.defineProperty(globalThis, 'crypto', { value: webcrypto });

export * from './file-session.js';
export * from './index.js';
