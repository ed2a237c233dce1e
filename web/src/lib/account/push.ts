/* Push to this browser: what it has to subscribe with, and what the server has to know of it. */

/** Of a base64url text, as a push service wants the server's key. */
export function keyBytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

export interface Device {
  kind: 'webpush';
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** null: the browser has not told all of it. */
export function deviceOf({ endpoint, keys }: PushSubscriptionJSON): Device | null {
  const { p256dh, auth } = keys ?? {};
  const bare = (text: string) => text.replace(/=+$/, '');
  return endpoint && p256dh && auth
    ? { kind: 'webpush', endpoint, p256dh: bare(p256dh), auth: bare(auth) }
    : null;
}

/** Whether this browser can be pushed to at all. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}
