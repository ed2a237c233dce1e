/* The part of the ws package that we use, which has the same API as browsers. */
declare module 'ws' {
  export const WebSocket: typeof globalThis.WebSocket;
}
