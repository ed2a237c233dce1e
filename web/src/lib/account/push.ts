/* Push to this browser: what it needs to subscribe, and what the server needs to send. Pure conversions and
 * the subscription itself. */

/** Decodes base64url, for the server's key. */
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

/** null: the browser did not report all of it. */
export function deviceOf({ endpoint, keys }: PushSubscriptionJSON): Device | null {
  const { p256dh, auth } = keys ?? {};
  const bare = (text: string) => text.replace(/=+$/, '');
  return endpoint && p256dh && auth
    ? { kind: 'webpush', endpoint, p256dh: bare(p256dh), auth: bare(auth) }
    : null;
}

/** Whether the subscription accepts messages signed with the server's current key. */
export function isFor({ options }: PushSubscription, key: string): boolean {
  const held = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  const wanted = keyBytes(key);
  return held.length === wanted.length && held.every((byte, i) => byte === wanted[i]);
}

/** Subscribes this browser. It refuses a second subscription with another key, so one for an old key ends
 * first. */
export async function subscribe(manager: PushManager, key: string): Promise<Device | null> {
  const old = await manager.getSubscription();
  if (old && !isFor(old, key)) await old.unsubscribe();
  const made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: keyBytes(key) });
  return deviceOf(made.toJSON());
}

/** Whether this browser can be pushed to at all. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}
