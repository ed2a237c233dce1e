/* Passes a record to the replay page, from practice or a result. */
import { router } from '$lib/router.svelte';
import { keepRecord } from './saved-record';

/** Stores the record and goes to the page that shows it. own: the player's seat. */
export function showRecord(text: string, own: number): void {
  keepRecord(text, own);
  router.go('/replay');
}
