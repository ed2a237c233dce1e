/* The player's friends and blocked players, as stored on the server, and actions on each. */
import { api, need, sentence } from '$lib/api/client';
import { lobby } from '$lib/lobby/lobby.svelte';
import { playWith } from '$lib/lobby/seat';
import { everything } from '$lib/ui/paged.svelte';
import { friendshipWith, type Block, type Friend, type Friendship } from './friends';

export class People {
  friends = $state.raw<Friend[]>([]);
  blocks = $state.raw<Block[]>([]);
  loaded = $state(false);
  /** The player for whom an action is running. */
  busy = $state('');
  problem = $state('');

  /** Loads the lists, and reloads them when someone sends or accepts a request. */
  start(): () => void {
    void this.load();
    const again = () => void this.load();
    const deaf = lobby.listen((frame) => {
      if (frame.t === 'notification' && frame.d.kind === 'friend') again();
    });
    const forget = lobby.onreturn(again);
    return () => {
      deaf();
      forget();
    };
  }

  async load(): Promise<void> {
    try {
      const [friends, blocks] = await Promise.all([
        everything((query) => need(api.GET('/v1/friends', { params: { query } }))),
        everything((query) => need(api.GET('/v1/me/blocks', { params: { query } }))),
      ]);
      this.friends = friends;
      this.blocks = blocks;
      this.loaded = true;
      this.problem = '';
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  friendship(id: string): Friendship {
    return friendshipWith(this.friends, id);
  }

  blockOf(id: string): Block | undefined {
    return this.blocks.find((b) => b.player_id === id && (b.muted || b.blocked));
  }

  /** Sends a friend request, or accepts one. */
  befriend(id: string): Promise<void> {
    return this.about(id, () => need(api.PUT('/v1/friends/{player}', { params: { path: { player: id } } })));
  }

  /** Ends a friendship, declines a request, or withdraws one. */
  unfriend(id: string): Promise<void> {
    return this.about(id, () =>
      need(api.DELETE('/v1/friends/{player}', { params: { path: { player: id } } })),
    );
  }

  /** Opens a table for the two and notifies the friend. */
  playWith(id: string): Promise<void> {
    return this.about(id, () => playWith(id));
  }

  mute(id: string, on: boolean): Promise<void> {
    return this.set('/v1/players/{player}/mute', id, on);
  }

  block(id: string, on: boolean): Promise<void> {
    return this.set('/v1/players/{player}/block', id, on);
  }

  private set(
    path: '/v1/players/{player}/mute' | '/v1/players/{player}/block',
    id: string,
    on: boolean,
  ): Promise<void> {
    const params = { path: { player: id } };
    return this.about(id, () => need(on ? api.PUT(path, { params }) : api.DELETE(path, { params })));
  }

  private async about(id: string, work: () => Promise<unknown>): Promise<void> {
    this.busy = id;
    try {
      await work();
      await this.load();
    } catch (error) {
      this.problem = sentence(error);
    } finally {
      this.busy = '';
    }
  }
}
