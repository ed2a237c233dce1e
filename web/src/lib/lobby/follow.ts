/* What a page shows that changes by itself, followed as the lobby's line tells of it. */
import { lobby } from './lobby.svelte';
import type { ServerFrame } from '@rummyd/client';
import { Anew, HEAL_MS, STEADY_MS } from './anew';

export interface Followed {
  read: () => void;
  /** A frame that is the reader's own news: it is read however short ago that was. */
  own?: (frame: ServerFrame) => boolean;
  /** A frame that everybody gets. */
  told?: (frame: ServerFrame) => boolean;
  /** How long it may go unread where the line tells all. */
  heals?: () => number;
}

/** Reads it, and whenever it may have changed, until the function that this answers is called. Nothing is read for a page that nobody sees
 * before somebody does again. */
export function follow({ read, own, told, heals = () => STEADY_MS }: Followed): () => void {
  let missed = false;
  const anew = new Anew(
    () => {
      missed = document.hidden;
      if (!missed) read();
    },
    () => (lobby.connection === 'open' ? heals() : Math.min(heals(), HEAL_MS)),
  );
  const seen = () => missed && anew.now();
  const ends = [
    lobby.listen((frame) => {
      if (own?.(frame)) anew.now();
      else if (told?.(frame)) anew.told();
    }),
    lobby.onreturn(() => anew.now()),
  ];
  document.addEventListener('visibilitychange', seen);
  anew.start();
  return () => {
    ends.forEach((end) => end());
    document.removeEventListener('visibilitychange', seen);
    anew.stop();
  };
}
