/* The part of the package ws that we use: the same API as in browsers. */
declare module 'ws' {
  export const WebSocket: typeof globalThis.WebSocket;
}
