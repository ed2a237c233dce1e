/* Texts about export and deletion of the player's data. Pure. */
import { number } from '$lib/messages/format';
import { say, sayOr } from '$lib/messages/messages';
import { plain } from '$lib/messages/plain';
import type { Export } from '$lib/api/client';
import { day } from '$lib/ui/time';

/** The word that a player types to delete their account, in the language of the page. */
export function confirmWord(): string {
  return say('deletion.word');
}

const KIB = 1024;

export function sizeSaid(bytes: number): string {
  if (bytes < KIB) return say('size.bytes', { n: bytes });
  if (bytes < KIB * KIB) return say('size.kib', { n: Math.round(bytes / KIB) });
  return say('size.mib', {
    n: number(bytes / KIB / KIB, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  });
}

export function exportSaid(file: Export): string {
  if (file.state === 'making')
    return file.lines ? say('export.making.lines', { n: file.lines }) : say('export.making');
  if (file.state === 'ready' && file.ready_at && file.expires_at)
    return say('export.ready', {
      from: day(file.ready_at),
      size: sizeSaid(file.bytes ?? 0),
      until: day(file.expires_at),
    });
  return '';
}

/** Obstacles to the deletion besides its date; '' if there are none. */
export function waitsSaid(waits: readonly string[]): string {
  return waits.map((what) => sayOr(`deletion.waits.${what}`, '')).join(' ');
}

/** Whether the typed text is the confirmation word, ignoring case. */
export function meant(typed: string): boolean {
  return plain(typed.trim()) === plain(confirmWord());
}
