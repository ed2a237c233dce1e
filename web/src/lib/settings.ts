/* The player's settings for the page, and their permitted values. Stored settings are read only through
 * `settingsOf`, which always returns values from this file, whatever is stored. Pure. */

export const BACKS = ['lattice', 'waves', 'stars', 'plain'] as const;
export const THEMES = ['carpet', 'felt', 'lagoon', 'slate'] as const;
export const CARD_SIZES = ['small', 'normal', 'large'] as const;
export const LOOKS = ['system', 'dark', 'light'] as const;
export const SPEEDS = ['off', 'calm', 'normal', 'quick'] as const;
/** In steps of one tenth, as set by a slider. */
export const VOLUME_MAX = 10;

export interface Settings {
  /** 0 is silent. */
  volume: number;
  vibration: boolean;
  cardSize: (typeof CARD_SIZES)[number];
  back: (typeof BACKS)[number];
  theme: (typeof THEMES)[number];
  look: (typeof LOOKS)[number];
  fourColour: boolean;
  leftHanded: boolean;
  confirmThrow: boolean;
  /** A drawn card goes to its sorted place among the loose cards, not to the end. */
  sortDrawn: boolean;
  speed: (typeof SPEEDS)[number];
  emotes: boolean;
  /** Advice from the coach, at tables where it is allowed. */
  coach: boolean;
}

export const DEFAULTS: Readonly<Settings> = {
  volume: 6,
  vibration: true,
  cardSize: 'normal',
  back: 'lattice',
  theme: 'carpet',
  look: 'system',
  fourColour: false,
  leftHanded: false,
  confirmThrow: false,
  sortDrawn: false,
  speed: 'normal',
  emotes: true,
  coach: false,
};

type Readers = { [K in keyof Settings]: (value: unknown) => value is Settings[K] };

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const oneOf =
  <T extends string>(values: readonly T[]) =>
  (value: unknown): value is T =>
    values.includes(value as T);

const ALLOWED: Readers = {
  volume: (value): value is number =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= VOLUME_MAX,
  vibration: isBoolean,
  cardSize: oneOf(CARD_SIZES),
  back: oneOf(BACKS),
  theme: oneOf(THEMES),
  look: oneOf(LOOKS),
  fourColour: isBoolean,
  leftHanded: isBoolean,
  confirmThrow: isBoolean,
  sortDrawn: isBoolean,
  speed: oneOf(SPEEDS),
  emotes: isBoolean,
  coach: isBoolean,
};

/** The settings in stored data, with the default for each value that is missing or not allowed. */
export function settingsOf(kept: unknown): Settings {
  const found: Settings = { ...DEFAULTS };
  if (typeof kept !== 'object' || kept === null) return found;
  const take = <K extends keyof Settings>(name: K) => {
    const value: unknown = Object.hasOwn(kept, name) ? (kept as Record<string, unknown>)[name] : undefined;
    if (ALLOWED[name](value)) found[name] = value;
  };
  (Object.keys(DEFAULTS) as (keyof Settings)[]).forEach(take);
  return found;
}
