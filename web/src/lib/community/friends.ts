/* Friends, who asks to be one, who is muted or blocked. Pure. */
import { say } from '$lib/messages/messages';
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

/** Characters below which the server looks for nobody. */
export const BEGINNING_MIN = 3;

/** The groups that have somebody, by name within each. */
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

/** What is asked of the server for what was typed; empty: nothing. Addresses do not go into an address. */
export function beginningOf(typed: string): string {
  const text = typed.trim();
  return [...text].length < BEGINNING_MIN || text.includes('@') ? '' : text;
}
