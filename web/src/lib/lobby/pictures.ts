/* The cards in the picture of each game, and their positions. */

export const CARDS: Readonly<Record<string, readonly string[]>> = {
  rummy51: ['QH', 'KH', 'AH', 'joker'],
  straight: ['4S', '5S', '6S', '7S'],
  treff: ['JC', 'joker', 'KC', 'AC'],
  rummy40: ['8D', '9D', 'TD'],
  rami: ['KS', 'KH', 'KD', 'joker'],
  points: ['TH', 'JH', 'QH', 'KH', 'AH'],
  pool101: ['7C', '7H', '7D'],
  pool201: ['9S', '9H', '9C', '9D'],
  deals2: ['back', 'AD'],
  deals3: ['back', 'back', 'AC'],
};

const MIDDLE_X = 72;
const WIDE = 84;
const TURN = 36;

/** Position of one of n cards in a fan: along an arc and rotated. */
export function spread(i: number, n: number): string {
  const from = n > 1 ? i / (n - 1) - 0.5 : 0;
  const width = Math.min(WIDE, n * 24);
  const x = MIDDLE_X + from * width;
  const y = 46 + from * from * 24;
  return `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${(from * TURN).toFixed(1)})`;
}
