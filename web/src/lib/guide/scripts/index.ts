/* The games with a guided first hand; each script is loaded when its hand is played. */
import type { Script } from '$lib/guide/script';
import type { Differs } from './melds';

const melds = (variant: string, differs: Differs) => async () =>
  (await import('./melds')).melds(variant, differs);
const indian = (variant: string) => async () => (await import('./indian')).indian(variant);

const SCRIPTS: Record<string, () => Promise<Script>> = {
  rummy51: melds('rummy51', { min: 51, must: true, kept: true }),
  straight: async () => (await import('./straight')).straight,
  treff: melds('treff', { min: 0, must: false, kept: false }),
  rummy40: melds('rummy40', { min: 40, must: false, kept: false }),
  rami: melds('rami', { min: 51, must: false, kept: false }),
  points: indian('points'),
  pool101: indian('pool101'),
  pool201: indian('pool201'),
  deals2: indian('deals2'),
  deals3: indian('deals3'),
};

export const GUIDED = Object.keys(SCRIPTS);

/** null: none for this game. */
export function scriptOf(variant: string): Promise<Script> | null {
  return Object.hasOwn(SCRIPTS, variant) ? (SCRIPTS[variant]?.() ?? null) : null;
}
