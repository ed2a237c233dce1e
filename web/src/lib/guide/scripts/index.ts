/* The games that have a guided first hand; each script is fetched when its hand is played. */
import type { Script } from '$lib/guide/script';

const SCRIPTS: Record<string, () => Promise<Script>> = {
  rummy51: async () => (await import('./rummy51')).rummy51,
};

export const GUIDED = Object.keys(SCRIPTS);

/** null: none for this game. */
export function scriptOf(variant: string): Promise<Script> | null {
  return Object.hasOwn(SCRIPTS, variant) ? (SCRIPTS[variant]?.() ?? null) : null;
}
