/* Describes the moves that a timeout or a bot made for the player while they were away. Pure. */
import { cardNames } from '$lib/cards/cards';
import { say } from '$lib/messages/messages';
import type { WirePlayed } from '@rummyd/client';

function laid(d: WirePlayed): string {
  const open = d.opening === null ? [] : [say('missed.opened', { points: d.opening })];
  const melds = d.melds > 0 ? [say('missed.melds', { n: d.melds })] : [];
  const more = d.lay_offs > 0 ? [say('missed.lay_offs', { n: d.lay_offs })] : [];
  return [...open, ...melds, ...more].join(', ');
}

export function missedLines(d: WirePlayed): string[] {
  const lines: string[] = [];
  if (d.time_outs > 0) lines.push(say('missed.time_outs', { n: d.time_outs }));
  if (d.turns > d.time_outs) lines.push(say('missed.bot', { n: d.turns - d.time_outs }));
  const what = laid(d);
  if (what) lines.push(say('missed.laid', { what }));
  if (d.thrown.length > 0) lines.push(say('missed.thrown', { cards: cardNames(d.thrown) }));
  if (d.drop_points !== null) lines.push(say('missed.dropped', { n: d.drop_points }));
  if (d.hands > 0) lines.push(say('missed.hands', { n: d.hands, points: d.points }));
  if (d.reserve_used_ms > 0) {
    const seconds = (ms: number) => Math.round(ms / 1000);
    lines.push(say('missed.reserve', { used: seconds(d.reserve_used_ms), left: seconds(d.reserve_left_ms) }));
  }
  return lines;
}
