/* What the clock or a bot did in the player's name while they were not there, in sentences. Pure. */
import { cardNames } from '$lib/cards/cards';
import type { WirePlayed } from '@rummyd/client';

const TIMES = ['', 'once', 'twice', 'three times'];

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}

function times(n: number): string {
  return TIMES[n] ?? `${n} times`;
}

function laid(d: WirePlayed): string {
  const melds = d.melds > 0 ? [`${count(d.melds, 'meld')} laid`] : [];
  const more = d.lay_offs > 0 ? [`${count(d.lay_offs, 'card')} laid on`] : [];
  const open = d.opening === null ? [] : [`opened with ${d.opening}`];
  return [...open, ...melds, ...more].join(', ');
}

export function missedLines(d: WirePlayed): string[] {
  const lines: string[] = [];
  if (d.time_outs > 0) lines.push(`Your time ran out ${times(d.time_outs)}.`);
  if (d.turns > d.time_outs) lines.push(`A bot played ${count(d.turns - d.time_outs, 'turn')} for you.`);
  const melds = laid(d);
  if (melds) lines.push(`In your name: ${melds}.`);
  if (d.thrown.length > 0) lines.push(`Thrown for you: ${cardNames(d.thrown)}.`);
  if (d.drop_points !== null) lines.push(`You were dropped out of a deal: ${count(d.drop_points, 'point')}.`);
  if (d.hands > 0)
    lines.push(`${count(d.hands, 'hand')} ended meanwhile: ${count(d.points, 'point')} for you.`);
  if (d.reserve_used_ms > 0) {
    const [used, left] = [d.reserve_used_ms, d.reserve_left_ms].map((ms) => Math.round(ms / 1000));
    lines.push(`Of your time bank for a bad line ${used} s are used, ${left} s are left.`);
  }
  return lines;
}
