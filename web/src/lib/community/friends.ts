/* Friends, who asks to be one, who is muted or blocked. Pure. */
import type { components } from '@rummyd/client';

export type Friend = components['schemas']['FriendList']['items'][number];
export interface Block {
  player_id: string;
  nickname: string;
  muted: boolean;
  blocked: boolean;
}
export type Friendship = Friend['state'] | 'none';

export const GROUPS: readonly (readonly [state: Friend['state'], title: string])[] = [
  ['asks', 'They ask to be your friends'],
  ['friends', 'Friends'],
  ['asked', 'You have asked'],
];

/** The groups that have somebody, by name within each. */
export function grouped(
  friends: readonly Friend[],
): { state: Friend['state']; title: string; items: Friend[] }[] {
  return GROUPS.map(([state, title]) => ({
    state,
    title,
    items: friends
      .filter((f) => f.state === state)
      .sort((a, b) => a.nickname.localeCompare(b.nickname) || Number(a.player_id) - Number(b.player_id)),
  })).filter((group) => group.items.length > 0);
}

export function friendshipWith(friends: readonly Friend[], id: string): Friendship {
  return friends.find((f) => f.player_id === id)?.state ?? 'none';
}

export function blockSaid(block: Pick<Block, 'muted' | 'blocked'>): string {
  const said = [...(block.muted ? ['muted'] : []), ...(block.blocked ? ['blocked'] : [])];
  return said.join(', ');
}
