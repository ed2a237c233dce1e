/* As much of the package ws as we use: it is what browsers have. */
declare module 'ws' {
  export const WebSocket: typeof globalThis.WebSocket;
}
