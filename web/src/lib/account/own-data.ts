/* What is said of one's own data: a file of them, and the deletion of the account. Pure. */
import type { Export } from '$lib/api/client';
import { day } from '$lib/ui/time';

/** The word that is typed to delete an account. */
export const CONFIRM = 'delete';

const KIB = 1024;

export function sizeSaid(bytes: number): string {
  if (bytes < KIB) return `${bytes} bytes`;
  return bytes < KIB * KIB ? `${Math.round(bytes / KIB)} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`;
}

export function exportSaid(file: Export): string {
  if (file.state === 'making') {
    const soFar = file.lines ? ` ${file.lines} lines so far.` : '';
    return `We’re preparing your file.${soFar} You can leave this page; we’ll let you know when it’s ready.`;
  }
  if (file.state === 'ready' && file.ready_at && file.expires_at)
    return `Your file from ${day(file.ready_at)} is ready (${sizeSaid(file.bytes ?? 0)}). You can download it until ${day(file.expires_at)}.`;
  return '';
}

const WAITS: Record<string, string> = {
  table: 'your current game has ended',
  order: 'a pending payment or refund has gone through',
};

/** What the deletion waits for beside its day; '' when nothing. */
export function waitsSaid(waits: readonly string[]): string {
  const what = waits.map((w) => WAITS[w] ?? w);
  return what.length ? `We’ll wait until ${what.join(', and until ')}.` : '';
}

/** Whether what was typed means it: the word, however it is written. */
export function meant(typed: string): boolean {
  return typed.trim().toLowerCase() === CONFIRM;
}
