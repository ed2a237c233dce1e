/* Friends, pending requests, and muted and blocked players. Pure. */
import { say } from '$lib/messages/messages';
import { plain } from '$lib/messages/plain';
import type { components } from '@rummyd/client';

export type Friend = components['schemas']['FriendList']['items'][number];
export interface Block {
  player_id: string;
  nickname: string;
  muted: boolean;
  blocked: boolean;
}
export type Friendship = Friend['state'] | 'none';

export const GROUPS: readonly Friend['state'][] = ['asks', 'friends', 'asked'];

/** Minimum number of characters for a search. */
export const BEGINNING_MIN = 3;

/** The groups that are not empty, each sorted by name. */
export function grouped(
  friends: readonly Friend[],
): { state: Friend['state']; title: string; items: Friend[] }[] {
  return GROUPS.map((state) => ({
    state,
    title: say(`friends.${state}`),
    items: friends
      .filter((f) => f.state === state)
      .sort((a, b) => a.nickname.localeCompare(b.nickname) || Number(a.player_id) - Number(b.player_id)),
  })).filter((group) => group.items.length > 0);
}

/** Players whose nickname contains the typed text, ignoring case and accents. */
export function named(friends: readonly Friend[], typed: string): Friend[] {
  return friends.filter((f) => plain(f.nickname).includes(plain(typed.trim())));
}

export function friendshipWith(friends: readonly Friend[], id: string): Friendship {
  return friends.find((f) => f.player_id === id)?.state ?? 'none';
}

export function blockSaid(block: Pick<Block, 'muted' | 'blocked'>): string {
  const said = [
    ...(block.muted ? [say('block.muted')] : []),
    ...(block.blocked ? [say('block.blocked')] : []),
  ];
  return said.join(', ');
}

/** Search query for the typed text, or empty for no search. Email addresses must not appear in a URL. */
export function beginningOf(typed: string): string {
  const text = typed.trim();
  return [...text].length < BEGINNING_MIN || text.includes('@') ? '' : text;
}
