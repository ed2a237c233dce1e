/* The client of rummyd, for browsers and any runtime with fetch and WebSocket; Node.js before 22 needs
 * node.ts. */
export type { components, paths } from './gen/rest.js';
export * from './client.js';
export * from './ids.js';
export * from './lobby.js';
export * from './opening.js';
export * from './problem.js';
export * from './protocol.js';
export * from './rest.js';
export * from './socket.js';
export * from './table.js';
export * from './tokens.js';
