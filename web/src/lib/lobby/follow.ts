/* Keeps data on a page up to date with the lobby socket. */
import { lobby } from './lobby.svelte';
import type { ServerFrame } from '@rummyd/client';
import { Reloader, HEAL_MS, STEADY_MS } from './reload';

export interface Followed {
  read: () => void;
  /** Whether the frame is for the viewer: reloads at once. */
  own?: (frame: ServerFrame) => boolean;
  /** Whether the frame goes to everyone: reloads, but not too often. */
  told?: (frame: ServerFrame) => boolean;
  /** Longest time without a reload if the socket reports every change. */
  heals?: () => number;
}

/** Calls `read` now and whenever the data may have changed, until the returned function is called. A hidden
 * page reloads only when it becomes visible again. */
export function follow({ read, own, told, heals = () => STEADY_MS }: Followed): () => void {
  let missed = false;
  const reloader = new Reloader(
    () => {
      missed = document.hidden;
      if (!missed) read();
    },
    () => (lobby.connection === 'open' ? heals() : Math.min(heals(), HEAL_MS)),
  );
  const seen = () => missed && reloader.now();
  const ends = [
    lobby.listen((frame) => {
      if (own?.(frame)) reloader.now();
      else if (told?.(frame)) reloader.told();
    }),
    lobby.onreturn(() => reloader.now()),
  ];
  document.addEventListener('visibilitychange', seen);
  reloader.start();
  return () => {
    ends.forEach((end) => end());
    document.removeEventListener('visibilitychange', seen);
    reloader.stop();
  };
}
