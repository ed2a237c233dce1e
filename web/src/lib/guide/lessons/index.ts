/* The lessons; each script is fetched when it is played. */
import type { Script } from '$lib/guide/script';
import { GUIDED } from '$lib/guide/scripts';
import { lessonsOf, type Lesson } from './offered';

export { lessonsOf, type Lesson };
type Fetched = (variant: string) => Promise<Script>;

const SCRIPTS: Record<Lesson, Fetched> = {
  jokers: async (variant) => (await import('./melds')).jokers(variant),
  lay_off: async (variant) => (await import('./melds')).layOff(variant),
  opening: async (variant) => (await import('./melds')).opening(variant),
  at_once: async (variant) => (await import('./melds')).atOnce(variant, variant === 'treff'),
  pure: async (variant) => (await import('./indian')).pure(variant),
  drop: async (variant) => (await import('./indian')).drop(variant),
  cheap: async (variant) => (await import('./indian')).cheap(variant),
};

/** null: the game has no lesson of this name. */
export function lessonOf(variant: string, lesson: string): Promise<Script> | null {
  const known = lessonsOf(variant).find((name) => name === lesson);
  return known ? SCRIPTS[known](variant) : null;
}

/** Stages of learning a game: the guided hand, its lessons, a game against bots. */
export type Stage = 'guide' | Lesson | 'game';

export function stagesOf(variant: string): readonly Stage[] {
  return GUIDED.includes(variant) ? ['guide', ...lessonsOf(variant), 'game'] : [];
}
