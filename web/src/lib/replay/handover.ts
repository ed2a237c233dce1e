/* For whoever has a record and wants it seen: practice, a result. */
import { router } from '$lib/router.svelte';
import { keepRecord } from './kept';

/** Keeps the record and goes to the page that shows it. */
export function showRecord(text: string): void {
  keepRecord(text);
  router.go('/replay');
}
