/* Fixed moments of the other games: meld games as differences from Rummy 51, Indian ones in full. */
import { scene } from './stage.mjs';

const NICKS = ['Mia', 'Karim', 'Aurelia Longname', 'Yusuf', 'Noor', 'Idris'];
const AVATARS = ['fennec', 'owl', 'palm', 'lantern', 'camel', 'moon'];

/** Groups: a pure sequence, a sequence with a wild queen, a set with the joker. REST is in none of them. */
export const GROUPS = ['5H1 6H1 7H1 8H2', '9S1 TS1 QD2', '4C1 4D1 X1'].map((g) => g.split(' '));
export const REST = ['KC1', '2D1', 'JH2', '3S2'];

function seats(n, change) {
  return Array.from({ length: n }, (_, seat) => ({
    seat,
    player_id: seat === 0 ? '42' : null,
    nick: NICKS[seat],
    avatar: AVATARS[seat],
    bot: seat !== 0,
    on: true,
    away: false,
    left: false,
    opened: false,
    cards_n: seat === 0 ? 14 : 13,
    round: 3,
    points: [34, 61, 12, 96, 0, 78][seat],
    ...change?.(seat),
  }));
}

const table = (variant) => ({ ...scene().table, variant, room: null, stake: 0, reward: 0 });
const turn = (change) => ({ ...scene().turn, opening_min: 0, ...change });

/** Six players at a table of Pool 101; it is the player's turn, after the draw. */
export function indian(change = {}, people = 6) {
  return scene({
    table: table('pool101'),
    params: {},
    seats: seats(people),
    dropped: people > 3 ? [3] : [],
    hand: [...GROUPS.flat(), ...REST],
    discard: ['3C1', '5D1', 'JS1'],
    melds: [],
    stock_n: 24,
    starter: 0,
    wild: { card: 'QS1', rank: 'Q' },
    drop_points: 0,
    turn: turn({ drawn: 'KC1' }),
    ...change,
  });
}

/** Before the player's draw: a wild card was discarded, so it cannot be taken; a drop is still cheap. */
export function indianDraw(change = {}) {
  return indian({
    phase: 'draw',
    hand: [...GROUPS.flat(), ...REST.slice(1)],
    discard: ['3C1', '5D1', 'QC1'],
    may_take: false,
    drop_points: 20,
    turn: turn({ drew: false, drawn: null }),
    ...change,
  });
}

/** Rummy 40 with a staged run: 24 of 40. */
export function staged(change = {}) {
  const melds = scene().melds.filter((meld) => meld.owner !== 0);
  const own = { id: 8, kind: 'run', owner: 0, low: 6, suit: 'C', staged: true, cards: ['7C2', '8C2', '9C2'] };
  const opened = (seat) => (seat.seat === 0 ? { ...seat, opened: false } : seat);
  return scene({
    table: table('rummy40'),
    seats: scene().seats.map(opened),
    melds: [...melds, own],
    turn: turn({ drawn: '4C2', opening_min: 40, staged_sum: 24 }),
    ...change,
  });
}

/** Straight rummy for two, with the stock empty. */
export function emptyStock(change = {}) {
  return scene({
    table: table('straight'),
    phase: 'draw',
    seats: seats(2, (seat) => ({ cards_n: seat === 0 ? 5 : 4, opened: true })),
    hand: 'AH1 5S1 6S1 9D1 KC1'.split(' '),
    discard: ['4C1', '9H1', 'KS1', '2H1'],
    melds: [
      { id: 1, kind: 'run', owner: 1, low: 8, suit: 'H', staged: false, cards: ['9H1', 'TH1', 'JH1'] },
      { id: 2, kind: 'set', owner: 0, low: 6, suit: null, staged: false, cards: ['7C1', '7D1', '7H1'] },
    ],
    stock_n: 0,
    turn: turn({ drew: false, drawn: null }),
    ...change,
  });
}

/** Rami: a joker was swapped out of Karim's run in this turn and is held. */
export function owed(change = {}) {
  const [run, ...others] = scene().melds;
  const freed = { ...run, cards: ['9H1', 'TH2', 'JH1', 'QH2', 'KH2', 'AH2'] };
  return scene({
    table: table('rami'),
    melds: [freed, ...others],
    turn: turn({ drawn: '4C2', opening_min: 51, freed_jokers: 1, freed: [{ joker: 'X1', meld: 1 }] }),
    hand: ['X1', ...scene().hand.slice(1)],
    ...change,
  });
}
