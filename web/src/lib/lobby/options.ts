/* Options of a table that a player opens: their texts, and the selection of those to send. Pure. */
import type { Variant, VariantOption } from '$lib/api/client';
import { say, sayOr } from '$lib/messages/messages';
import { titleOf } from '$lib/messages/names';

export type Value = number | string;

export function labelOf(name: string): string {
  return sayOr(`option.${name}`, titleOf(name));
}

export function wordOf(value: string): string {
  return sayOr(`option.value.${value}`, value.replaceAll('_', ' '));
}

/** The option that limits a player's time for a whole hand; 0: unlimited. */
export const HAND_CLOCK = 'hand_s';

/** Whether the option is a yes/no choice. */
export function isSwitch(option: VariantOption): boolean {
  return option.values === null && option.least === 0 && option.greatest === 1;
}

/** Default value. */
function defaultOf(option: VariantOption): Value {
  return option.default_word ?? option.default ?? option.least;
}

export function defaults(variant: Variant): Record<string, Value> {
  return Object.fromEntries(variant.options.map((o) => [o.name, defaultOf(o)]));
}

/** The values that differ from the variant's defaults. Numbers are clamped to their range. */
export function changed(variant: Variant, values: Readonly<Record<string, Value>>): Record<string, Value> {
  const out: Record<string, Value> = {};
  for (const option of variant.options) {
    const value = values[option.name] ?? defaultOf(option);
    const kept =
      typeof value === 'number'
        ? Math.min(option.greatest, Math.max(option.least, Math.round(value)))
        : value;
    if (kept !== defaultOf(option)) out[option.name] = kept;
  }
  return out;
}

/** "Play to: 100 · The ace is: high" for a list, and the turn time of a correspondence table; empty for the
 * standard rules. */
export function described(options: Readonly<Record<string, unknown>>, hours: number | null): string {
  const said = (name: string, value: string) => say('option.said', { name, value });
  return [
    ...Object.entries(options).map(([name, value]) =>
      name === HAND_CLOCK && value === 0
        ? say('open.hand_clock.off')
        : said(labelOf(name), wordOf(String(value))),
    ),
    ...(hours === null ? [] : [said(say('open.turn'), say('open.turn.hours', { n: hours }))]),
  ].join(' · ');
}

export function seatRange(variant: Variant): number[] {
  return Array.from({ length: variant.seats_max - variant.seats_min + 1 }, (_, i) => variant.seats_min + i);
}

/** The letters and digits of a typed code, in upper case. */
export function tidyCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Spectators enter a private table with its code. */
export function watchLink(origin: string, table: string, code: string): string {
  return `${origin}/watch/${table}${code ? `/${code}` : ''}`;
}

export function joinLink(origin: string, code: string): string {
  return `${origin}/join/${code}`;
}
