/* The chat of one table and its number of spectators: the reactive state of the chat panel. */
import { sayOr } from '$lib/messages/messages';
import { prefs } from '$lib/prefs.svelte';
import type { WireChat, WireEmote } from '@rummyd/client';

export interface Said {
  id: string;
  seat: number;
  text: string;
  emote: boolean;
  at: number;
}

const KEPT = 200;
/** How long a message stays next to its author. */
const BUBBLE_MS = 5000;
export const TEXT_MAX = 200;

export function wordsOf(emote: string): string {
  return sayOr(`emote.${emote}`, emote.replaceAll('_', ' '));
}

/** Merges new messages into the known ones, ordered by id. */
export function merged(old: readonly Said[], more: readonly Said[]): Said[] {
  const known = old.map((s) => s.id);
  const all = [...old, ...more.filter((s) => !known.includes(s.id))];
  return all.sort((a, b) => Number(a.id) - Number(b.id)).slice(-KEPT);
}

export class Chat {
  said = $state.raw<Said[]>([]);
  unread = $state(0);
  watchers = $state(0);
  /** The panel is open, so no message is unread. */
  open = $state(false);
  /** Messages currently shown next to their author's seat. */
  bubbles = $state.raw<Said[]>([]);

  /** null if the message is hidden or was received before. */
  heard(wire: WireChat | WireEmote, me: number | null): Said | null {
    const emote = 'name' in wire;
    if (emote && !prefs.now.emotes) return null;
    const text = emote ? wordsOf(wire.name) : wire.text;
    const said: Said = { id: wire.id, seat: wire.seat, text, emote, at: Date.parse(wire.at) };
    if (this.said.some((s) => s.id === said.id)) return null;
    this.said = merged(this.said, [said]);
    if (!this.open && said.seat !== me) this.unread++;
    this.bubbles = [...this.bubbles.filter((b) => b.seat !== said.seat), said];
    setTimeout(() => {
      this.bubbles = this.bubbles.filter((b) => b.id !== said.id);
    }, BUBBLE_MS);
    return said;
  }

  show(open: boolean): void {
    this.open = open;
    if (open) this.unread = 0;
  }

  /** Adds messages from before this page was opened. */
  before(items: readonly { id: string; seat: number; kind: string; text: string; at: string }[]): void {
    const heard = items.filter((s) => s.kind !== 'emote' || prefs.now.emotes);
    const said = heard.map((s) => {
      const emote = s.kind === 'emote';
      return { id: s.id, seat: s.seat, text: emote ? wordsOf(s.text) : s.text, emote, at: Date.parse(s.at) };
    });
    this.said = merged(this.said, said);
  }
}
