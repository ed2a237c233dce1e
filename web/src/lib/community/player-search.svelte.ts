/* Searches for players while a name is typed. A search starts when typing pauses, and only the last
 * response counts. */
import { api, need, sentence } from '$lib/api/client';
import { beginningOf } from './friends';
import type { components } from '@rummyd/client';

export type Found = components['schemas']['PlayersFound']['items'][number];

const PAUSE_MS = 300;

export class Finding {
  /** null: no search yet. */
  found = $state.raw<readonly Found[] | null>(null);
  problem = $state('');
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = '';

  type(typed: string): void {
    const nickname = beginningOf(typed);
    if (nickname === this.asked) return;
    clearTimeout(this.timer);
    this.asked = nickname;
    if (nickname === '') this.found = null;
    else this.timer = setTimeout(() => void this.look(nickname), PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.asked = '';
  }

  private async look(nickname: string): Promise<void> {
    try {
      const { items } = await need(api.GET('/v1/players', { params: { query: { nickname } } }));
      if (nickname !== this.asked) return;
      this.found = items;
      this.problem = '';
    } catch (error) {
      if (nickname === this.asked) this.problem = sentence(error);
    }
  }
}
