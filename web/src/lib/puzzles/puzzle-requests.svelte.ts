/* Puzzle requests of the pages: the daily puzzle, a puzzle by number, the next one, and an attempt. */
import { api, ApiError, need, sentence } from '$lib/api/client';
import { router } from '$lib/router.svelte';
import { searchFor, type Filter } from './filter';
import type { DailyPuzzle } from './puzzles';

export class Asking {
  daily = $state.raw<DailyPuzzle | null>(null);
  /** There is no daily puzzle. */
  missing = $state(false);
  problem = $state('');
  busy = $state(false);
  /** No puzzle is left for this filter. */
  none = $state(false);

  async loadDaily(): Promise<void> {
    this.problem = '';
    try {
      this.daily = await need(api.GET('/v1/puzzles/daily'));
      this.missing = false;
    } catch (error) {
      this.missing = error instanceof ApiError && error.status === 404;
      if (!this.missing) this.problem = sentence(error);
    }
  }

  /** Goes to the next puzzle that matches the filter. replace: whether to replace the current address in
   * the history. */
  async next(filter: Filter, replace = false): Promise<void> {
    this.busy = true;
    this.problem = '';
    this.none = false;
    try {
      const { id } = await need(api.GET('/v1/puzzles/next', { params: { query: filter } }));
      router.go(`/puzzles/${id}${searchFor(filter)}`, replace);
    } catch (error) {
      this.none = error instanceof ApiError && error.code === 'no_puzzle';
      if (!this.none) this.problem = sentence(error);
    } finally {
      this.busy = false;
    }
  }
}
