/* Puzzles with mocked responses: positions that the page's engine reads, and the server's reply to a try.
 * Used by answers.mjs and the tests of the puzzle pages. */

/** The neighbor has opened; the player to move has drawn. */
const MELDS = `[Rummyd "1"]
[Variant "rummy51"]
[Players "2"]
[Setup "yes"]
[Starter "0"]
[Cards0 "7S1 8S1 TS1 KD1 KC1 KH1 6H1 7H1 QS1 QC1 2C1 4C1 5D1 9D1"]
[Cards1 "9S1 AD1 9H2 JH2 3S2"]
[Turns "1 1"]
[ToMove "0"]
[Phase "draw"]
[Opened "1"]
[Meld "1 4H1 5H1 X1"]
[Discard "8C2"]
[Stock "3C1 6D2 8D1 JD1"]
`;
const INDIAN = `[Rummyd "1"]
[Variant "points"]
[Players "2"]
[Setup "yes"]
[Starter "0"]
[Wild "8H1"]
[Cards0 "2C1 3C1 4C1 6D1 7D1 8S1 QS1 QD1 QH1 9C1 TC1 5D1 KD1"]
[Cards1 "AS1 3S1 5S1 7S1 9S1 JS1 KS1 2D1 4D1 9D1 TD1 AC1 6C1"]
[Turns "1 1"]
[Picked "0 1"]
[ToMove "0"]
[Phase "draw"]
[Discard "KC1 5D2"]
[Stock "9D2 QC1"]
`;

const puzzle = (id, more) => ({
  ...{ id, variant: 'rummy51', players: 2, seat: 0, theme: 'discard', tags: ['high_cards'] },
  ...{ rating: 1480, tries: 212, solved: 97, mine: null, ...more },
});
export const DISCARD = puzzle('31', {
  position: `${MELDS}\n1. 0 stock 3C1\n`,
  options: ['QC', '5D', '9D', 'KD', '7S', '8S', 'TS', 'KC', 'KH', '6H', '7H', 'QS', '2C', '3C', '4C'],
});
export const DRAW = puzzle('32', {
  ...{
    variant: 'points',
    theme: 'draw',
    tags: [],
    position: `${INDIAN}\n`,
    options: ['stock', 'discard', 'drop'],
  },
});
const source = { game: '31', hand: 1, turn: 3, move: 1 };
const weighed = [
  ['5D', 0.62, 0],
  ['9D', 0.6, 0.012],
  ['KD', 0.55, 0.014],
  ['QC', 0.51, 0.015],
  ['2C', 0.44, 0.017],
].map(([choice, worth, error]) => ({ choice, worth, error }));

/** The reply to a try of DISCARD; streak: of the daily puzzle. */
export const tried = (choice, streak = { days: 5, best: 11 }) => ({
  ...{ choice, right: choice === '5D', answer: '5D', choices: weighed, rating_before: 1500 },
  ...{ rating: choice === '5D' ? 1524 : 1478, puzzle_rating: 1478, streak, source },
});
const recent = (id, right, more = {}) => ({
  ...{ puzzle: id, variant: 'rummy51', theme: 'discard', at: new Date().toISOString() },
  ...{ choice: right ? '5D' : 'KD', answer: '5D', right, rating: 1500, ...more },
});
export const PUZZLES = {
  '/v1/puzzles/daily': {
    day: new Date().toISOString().slice(0, 10),
    puzzle: DISCARD,
    streak: { days: 4, best: 11 },
  },
  '/v1/puzzles/31': DISCARD,
  '/v1/puzzles/31/tries': (request) => tried(request.postDataJSON().choice),
  '/v1/puzzles/32': DRAW,
  '/v1/puzzles/32/tries': (request) => ({
    ...tried('drop', null),
    ...{ choice: request.postDataJSON().choice, answer: 'discard', right: false, source: null },
    choices: [
      { choice: 'discard', worth: 0.48, error: 0 },
      { choice: 'stock', worth: 0.455, error: 0.01 },
      { choice: 'drop', worth: 0.25, error: 0.02 },
    ],
  }),
  '/v1/puzzles/next': DRAW,
  '/v1/me/puzzles': {
    ...{ rating: 1563, rd: 128, tried: 24, solved: 15, streak: { days: 4, best: 11 } },
    themes: [
      { theme: 'discard', tried: 20, solved: 13 },
      { theme: 'open', tried: 4, solved: 2 },
    ],
    variants: [
      { variant: 'rummy51', tried: 18, solved: 12 },
      { variant: 'points', tried: 6, solved: 3 },
    ],
    recent: [
      recent('31', true),
      recent('32', false, { theme: 'open', variant: 'points' }),
      recent('30', true),
    ],
  },
};
