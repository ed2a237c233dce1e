/* Sounds and vibrations of a table. Silent until the first interaction, as browsers require; while the page
 * is hidden, only the player's turn makes a sound. The first sound loads the synthesizer. */
import { prefs } from '$lib/prefs.svelte';
import { part } from '$lib/parts/parts.svelte';
import { VOLUME_MAX } from '$lib/settings';
import type { TableEvent } from '@rummyd/client';
import { cuesOf, type Sound } from './cues';
import type { Synth } from './synth';
import { isTouched } from './touch';

const QUIET = 0.35;
/** Milliseconds: on, off, on, ... */
const VIBRATIONS: Partial<Record<Sound, number[]>> = {
  turn: [60, 50, 60],
  late: [25],
  win: [80, 60, 80, 60, 160],
  refused: [35],
};

/** A sound that has waited longer than this for the synthesizer is dropped. */
const LATE_MS = 2000;

let synth: Promise<Synth | null> | null = null;

async function makeSynth(): Promise<Synth | null> {
  if (typeof AudioContext === 'undefined') return null;
  const { Synth: Made } = await part(() => import('./synth'));
  return new Made(new AudioContext());
}

/** Plays a sound, and vibrates if the sound has a vibration. */
export async function feel(sound: Sound, quiet = false): Promise<void> {
  const { volume, vibration } = prefs.now;
  if (!isTouched() || (document.hidden && sound !== 'turn')) return;
  const pulse = VIBRATIONS[sound];
  if (vibration && pulse && 'vibrate' in navigator) navigator.vibrate(pulse);
  if (volume === 0) return;
  const began = performance.now();
  synth ??= makeSynth().catch(() => null); // a browser without audio devices refuses an AudioContext
  const made = await synth;
  if (performance.now() - began <= LATE_MS) made?.play(sound, (volume / VOLUME_MAX) * (quiet ? QUIET : 1));
}

/** Plays the sounds of simultaneous events. */
export function feelEvents(events: readonly TableEvent[], me: number | null): void {
  for (const { sound, quiet } of cuesOf(events, me)) void feel(sound, quiet);
}
