/* The client of rummyd, for browsers and whatever has fetch and WebSocket; Node.js before 22 has it from node.ts. */
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
