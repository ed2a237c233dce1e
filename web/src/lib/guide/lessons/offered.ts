/* Which lessons each game has, in the order in which they are taken: /lessons/{variant}/{lesson}. */
const OPENING = ['jokers', 'lay_off', 'opening'] as const;
const DROPPING = ['pure', 'drop'] as const;
const DEALS = ['pure', 'cheap'] as const;

export const LESSONS_OF = {
  rummy51: OPENING,
  straight: ['lay_off', 'at_once'],
  treff: ['jokers', 'lay_off', 'at_once'],
  rummy40: OPENING,
  rami: OPENING,
  points: DROPPING,
  pool101: DROPPING,
  pool201: DROPPING,
  deals2: DEALS,
  deals3: DEALS,
} as const;

export type Lesson = (typeof LESSONS_OF)[keyof typeof LESSONS_OF][number];

/** Empty for a game without lessons. */
export function lessonsOf(variant: string): readonly Lesson[] {
  return Object.hasOwn(LESSONS_OF, variant) ? LESSONS_OF[variant as keyof typeof LESSONS_OF] : [];
}
