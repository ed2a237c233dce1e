/* Push to this browser: the subscription itself, and pure conversions of the data that the browser and the
 * server need. */

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

/** null: the browser's subscription is incomplete. */
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

/** Subscribes this browser. The browser refuses a second subscription with a different key, so a
 * subscription for an old key is canceled first. */
export async function subscribe(manager: PushManager, key: string): Promise<Device | null> {
  const old = await manager.getSubscription();
  if (old && !isFor(old, key)) await old.unsubscribe();
  const made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: keyBytes(key) });
  return deviceOf(made.toJSON());
}

/** Whether this browser supports push. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}
