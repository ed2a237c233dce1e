/* Random ids for requests and seeds. */

/** Random hex digits, two per byte; also works without a secure context. */
export function randomId(bytes = 16): string {
  return hex(crypto.getRandomValues(new Uint8Array(bytes)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}
