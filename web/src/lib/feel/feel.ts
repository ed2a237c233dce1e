/* What a player hears and feels of a table. Silent until they have touched the page, as browsers want it; while the page is
 * hidden only their turn is told. The synthesizer is fetched for the first sound. */
import { prefs } from '$lib/prefs.svelte';
import { part } from '$lib/parts/parts.svelte';
import { VOLUME_MAX } from '$lib/settings';
import type { TableEvent } from '@rummyd/client';
import { cuesOf, type Sound } from './cues';
import type { Synth } from './synth';

const QUIET = 0.35;
/** In milliseconds: on, off, on … */
const VIBRATIONS: Partial<Record<Sound, number[]>> = {
  turn: [60, 50, 60],
  late: [25],
  win: [80, 60, 80, 60, 160],
  refused: [35],
};

/** A sound that waited longer for the synthesizer is about something that has passed. */
const LATE_MS = 2000;

let touched = false;
let synth: Promise<Synth | null> | null = null;

async function makeSynth(): Promise<Synth | null> {
  if (typeof AudioContext === 'undefined') return null;
  const { Synth: Made } = await part(() => import('./synth'));
  return new Made(new AudioContext());
}

/** Listens for the first touch or key. */
export function awaitTouch(): void {
  const first = () => {
    touched = true;
    for (const name of ['pointerdown', 'keydown'] as const) removeEventListener(name, first, true);
  };
  for (const name of ['pointerdown', 'keydown'] as const) addEventListener(name, first, true);
}

/** Makes a sound, and a vibration where it has one. */
export async function feel(sound: Sound, quiet = false): Promise<void> {
  const { volume, vibration } = prefs.now;
  if (!touched || (document.hidden && sound !== 'turn')) return;
  const pulse = VIBRATIONS[sound];
  if (vibration && pulse && 'vibrate' in navigator) navigator.vibrate(pulse);
  if (volume === 0) return;
  const began = performance.now();
  synth ??= makeSynth().catch(() => null); // a browser without audio devices refuses an AudioContext
  const made = await synth;
  if (performance.now() - began <= LATE_MS) made?.play(sound, (volume / VOLUME_MAX) * (quiet ? QUIET : 1));
}

/** Of events that came together. */
export function feelEvents(events: readonly TableEvent[], me: number | null): void {
  for (const { sound, quiet } of cuesOf(events, me)) void feel(sound, quiet);
}
