/* Mocked server responses for the pages around the games: an ordinary player, and one with the longest names
 * and largest numbers. Used by lib/site.mjs and its tests. */
import { PUZZLES } from './puzzles.mjs';
import { ME } from './stage.mjs';

export const at = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString();
const LONG = 'WWWWWWWWWWMMMMMMMMMM'; // the maximum length is twenty letters
const BIG = 1_234_567;

const wallet = {
  silver: 96,
  gold: 20,
  silver_cap: 112,
  holds: [{ table_id: '917', silver: 10, gold: 0, at: at(-1) }],
  bonus: {
    due: false,
    streak: 3,
    played_today: false,
    today_amount: 50,
    today_lost: 30,
    tomorrow_amount: 40,
    tomorrow_at: at(9),
  },
};
const posting = (id, cause, currency, amount, balance_after, table_id = null) => ({
  id,
  at: at(-Number(id)),
  cause,
  table_id,
  currency,
  amount,
  balance_after,
});
export const line = (place, extra = {}) => ({
  place,
  player_id: String(40 + place),
  nickname: place === 3 ? LONG : `Player ${place}`,
  avatar: 'owl',
  title: 'Frog',
  games: 40 - place,
  own: place === 2,
  ...extra,
});
const leagues = {
  season: {
    number: 3,
    starts_at: at(-48),
    ends_at: at(51.5),
    closing: false,
    games_min: 30,
    prize_people_min: 5,
  },
  own: { league: 'tundra', games: 12, wins: 3, rating: 6800, place: 2 },
  items: ['desert', 'tundra', 'steppe', 'savannah', 'oasis', 'forest'].map((id) => ({
    id,
    name: id[0].toUpperCase() + id.slice(1),
    open: id !== 'forest',
    room: id,
    promote_rating: id === 'forest' ? null : 7000,
    promote_places: null,
    relegate_rating: id === 'tundra' ? 6200 : null,
    relegate_places: null,
    prizes: [100, 60, 40, 20, 20],
  })),
};
/** What the page shows as `promoted`. */
export const SAID = 'Your rating of 6800 reached the 6700 needed for promotion to the Tundra league.';
const promoted = {
  season: 2,
  league: 'desert',
  place: 1,
  games: 40,
  rating: 6800,
  to_league: 'tundra',
  reason: 'promoted',
  rule: { promote_rating: 6700 },
};
const stayed = {
  season: 1,
  league: 'desert',
  place: 7,
  games: 12,
  rating: 6800,
  to_league: 'desert',
  reason: 'too_few_games',
  rule: { games_min: 30 },
};
const ended = (season, prize_gold = 0) => ({
  ...season,
  ended_at: at(-48 * (4 - season.season)),
  prize_gold,
});
const dailyOwn = (state, more = {}) => ({
  state,
  table_id: '930',
  game_id: null,
  points: null,
  place: null,
  left: false,
  ranked: true,
  rank: null,
  percent: null,
  ...more,
});
const dailyDone = dailyOwn('done', { game_id: '31', points: -40, place: 1, rank: 3, percent: 97.6 });
const dailyDeal = (variant, own, entrants = 128) => ({
  variant,
  number: '31',
  seats: 4,
  options: {},
  bot_level: 'strong',
  entrants,
  own,
});
const dailyDay = (ago, state, deals) => ({
  ...{ day: at(-24 * ago).slice(0, 10), state, opens_at: at(-24 * ago), closes_at: at(24 - 24 * ago), deals },
  ...{
    commit: '6f'.repeat(32),
    committed_at: at(-24 * ago - 48),
    client_seed: '9b'.repeat(32),
    server_seed: state === 'final' ? '07'.repeat(32) : null,
  },
});
const dailyLine = (rank, more = {}) => ({
  ...{
    rank,
    player_id: String(40 + rank),
    nickname: rank === 3 ? LONG : `Player ${rank}`,
    avatar: 'owl',
    points: 10 * rank - 50,
    percent: 100 - rank,
  },
  ...{ left: false, game_id: null, own: rank === 2, ...more },
});
const dailyDeals = {
  ...{
    today: at(0).slice(0, 10),
    streak_days: 4,
    ranking: { ranked: false, proved: false, games: 7, games_min: 20 },
  },
  items: [
    dailyDay(-1, 'upcoming', [dailyDeal('rummy51', null, 0)]),
    dailyDay(0, 'open', [
      dailyDeal('rummy51', dailyDone),
      dailyDeal('straight', dailyOwn('playing')),
      dailyDeal('pool101', null),
      dailyDeal('points', null, 0),
    ]),
    dailyDay(1, 'final', [dailyDeal('rummy51', dailyDone)]),
  ],
};
const dailyBoard = (day, items) => ({
  day,
  variant: 'rummy51',
  state: 'open',
  entrants: 128,
  own: dailyDone,
  items,
  next: null,
});
const cup = {
  ...{
    id: '12',
    name: 'Friday cup',
    kind: 'knockout',
    variant: 'straight',
    options: {},
    seats: 4,
    advance: 1,
    keep_percent: null,
    rounds: null,
  },
  ...{
    entry: 20,
    prize_table: 'standard',
    entries_min: 8,
    entries_max: 8,
    bots_to: 8,
    bot_level: 'medium',
    sit_and_go: true,
    starts_at: null,
  },
  ...{
    late_s: 0,
    break_s: 30,
    state: 'running',
    reason: null,
    people: 5,
    bots: 3,
    round: 2,
    next_at: null,
    late_until: null,
    commit: '6f'.repeat(32),
  },
  ...{ duplicate: false, deal_commit: null, created_at: at(-2), started_at: at(-1), ended_at: null },
};
const cups = [
  { ...cup, id: '15', state: 'open', people: 3, bots: 0, round: 0, entered: true },
  {
    ...cup,
    id: '14',
    name: LONG.repeat(3),
    kind: 'swiss',
    advance: null,
    rounds: 5,
    duplicate: true,
    deal_commit: '7e'.repeat(32),
    sit_and_go: false,
    starts_at: at(50),
    state: 'open',
    entry: 1_000_000,
    people: 9999,
    bots: 0,
    entries_max: 10_000,
    round: 0,
    entered: false,
  },
];
const cupEntry = {
  ...{
    tournament_id: '12',
    entry: 2,
    team: null,
    silver: 20,
    gold: 0,
    entered_at: at(-1.5),
    in: true,
    round: 2,
    table: 1,
    seat: 0,
    table_id: '918',
    score: 120,
    margin: 900,
  },
  ...{ place: null, prize_silver: 0, prize_gold: 0 },
};
const cupMore = {
  ...{
    own: cupEntry,
    teams: null,
    pot: 100,
    prizes: [
      { place: 1, share: 6500, chips: 65 },
      { place: 2, share: 3500, chips: 35 },
    ],
  },
  draws: [1, 2].map((n) => ({
    draw: n,
    round: n,
    seed: `0${n}`.repeat(32),
    clients: '9b'.repeat(32),
    entries_to: 16,
    repeats: n - 1,
    least: true,
    drawn_at: at(-1),
  })),
  deals: [],
};
const cupSeat = (entry, seat, more = {}) => ({
  ...{
    seat,
    entry,
    team: null,
    player_id: entry > 5 ? null : String(40 + entry),
    nickname: entry === 3 ? LONG : `Player ${entry}`,
    bot: entry > 5,
    lot: 'ab'.repeat(32),
  },
  ...{ place: null, points: null, score: null, margin: null, percent: null, advanced: true, ...more },
});
const cupPlayed = (entry, seat, place) =>
  cupSeat(entry, seat, {
    place,
    points: 25 * place - 25,
    score: 160 - 40 * place,
    margin: 0,
    advanced: place === 1,
  });
const cupTable = (table, seats, more = {}) => ({
  table,
  draw: 1,
  table_id: String(900 + table),
  over: true,
  by_lot: false,
  watch: false,
  game_id: String(30 + table),
  seats,
  ...more,
});
const cupTables = (round, items) => ({ tournament_id: '12', round, items, next: null });
const cupLine = (rank, more = {}) => ({
  ...{
    rank,
    place: rank < 3 ? null : rank,
    entry: rank,
    team: null,
    player_id: rank > 5 ? null : String(40 + rank),
    nickname: rank === 3 ? LONG : `Player ${rank}`,
    avatar: 'owl',
  },
  ...{
    bot: rank > 5,
    in: rank < 3,
    out_round: rank < 3 ? null : 1,
    score: 120 - 10 * rank,
    margin: 900 - 200 * rank,
    percent: null,
    wins: rank < 3 ? 1 : 0,
    byes: 0,
    client_seed: '',
  },
  ...{ prize_silver: 0, prize_gold: 0, own: rank === 2, ...more },
});
const cupStandings = (id, state, items) => ({ tournament_id: id, state, round: 2, items, next: null });
const EIGHT = [1, 2, 3, 4, 5, 6, 7, 8];
const swiss = {
  ...cup,
  id: '13',
  name: 'Swiss evening',
  kind: 'swiss',
  advance: null,
  rounds: 2,
  state: 'ended',
  ended_at: at(-0.5),
};
const same = { ...swiss, id: '16', name: 'Same cards', duplicate: true, deal_commit: '7e'.repeat(32) };
const samePlayed = (entry, seat, place) =>
  cupSeat(entry, seat, {
    place,
    points: 25 * place - 25,
    score: 40 * (entry % 4),
    margin: 0,
    percent: [0, 33.3, 66.7, 100][entry % 4],
  });
const sameTables = (first) =>
  [1, 2].map((n) =>
    cupTable(
      n,
      [n, n + 2, n + 4, n + 6]
        .map((entry, i) => samePlayed(entry, (i + first) % 4, i + 1))
        .sort((x, y) => x.seat - y.seat),
    ),
  );
const sameSeat = (table, entry, percent, more = {}) => ({
  ...{
    table,
    seats: 4,
    entry,
    player_id: entry > 5 ? null : String(40 + entry),
    nickname: entry === 3 ? LONG : `Player ${entry}`,
    avatar: 'owl',
    bot: entry > 5,
  },
  ...{
    points: 25 * table - 50,
    score: Math.floor(1.2 * percent),
    margin: 900,
    percent,
    game_id: String(30 + table),
    own: entry === 2,
    ...more,
  },
});
const sameSeats = {
  tournament_id: '16',
  round: 2,
  seat: 2,
  items: [sameSeat(2, 2, 100), sameSeat(3, 3, 50), sameSeat(1, 6, 0, { points: null, game_id: null })],
  next: null,
};
const match = {
  ...{
    ...cup,
    id: '18',
    name: 'Two against two',
    kind: 'teams',
    seats: 2,
    advance: null,
    prize_table: null,
    entries_min: 1,
    entries_max: 4,
    bots_to: 4,
  },
  ...{
    duplicate: true,
    deal_commit: '7e'.repeat(32),
    state: 'open',
    people: 3,
    bots: 0,
    round: 0,
    started_at: null,
  },
};
const matchOver = {
  ...match,
  id: '19',
  name: 'Four against four',
  seats: 4,
  entries_max: 8,
  bots_to: 8,
  state: 'ended',
  people: 5,
  bots: 3,
  round: 1,
  started_at: at(-1),
  ended_at: at(-0.5),
};
const matchMade = [
  { team: 1, points: -1075, tables: [-40, -1035], place: 5 },
  { team: 2, points: 310, tables: [260, 50], place: 1 },
];
const teamOf = (entry) => 1 + (entry % 2 === 0);
const matchLine = (rank, more = {}) => cupLine(rank, { team: teamOf(rank), ...more });
const matchTable = (table, entries) =>
  cupTable(
    table,
    entries.map((entry, seat) => ({ ...samePlayed(entry, seat, 1 + seat), team: teamOf(entry) })),
  );
const matches = {
  '/v1/tournaments/18': { ...match, ...cupMore, own: null, pot: 60, prizes: [], draws: [] },
  '/v1/tournaments/18/standings': cupStandings(
    '18',
    'open',
    [1, 2, 3].map((rank) => matchLine(rank, { place: null, score: 0, margin: 0, wins: 0, own: false })),
  ),
  '/v1/tournaments/19': {
    ...{
      ...matchOver,
      ...cupMore,
      teams: matchMade,
      prizes: [],
      deals: [{ round: 1, seed: '41'.repeat(32) }],
    },
    own: {
      ...cupEntry,
      team: 2,
      tournament_id: '19',
      round: 1,
      table_id: null,
      seat: 2,
      place: 1,
      prize_silver: 50,
    },
  },
  '/v1/tournaments/19/standings': cupStandings(
    '19',
    'ended',
    [2, 4, 6, 8, 1, 3, 5, 7].map((entry, i) => ({
      ...matchLine(entry, { place: i < 4 ? 1 : 5, in: false, percent: 50, prize_silver: i < 2 ? 50 : 0 }),
      rank: i + 1,
    })),
  ),
  '/v1/tournaments/19/rounds/1/tables': cupTables(1, [
    matchTable(1, [1, 4, 3, 6]),
    matchTable(2, [8, 5, 2, 7]),
  ]),
  '/v1/tournaments/19/rounds/1/seats/2': {
    ...sameSeats,
    tournament_id: '19',
    round: 1,
    items: sameSeats.items.slice(0, 2),
  },
};
const tournaments = {
  '/v1/tournaments': { items: cups, next: null },
  '/v1/tournaments/12': { ...cup, ...cupMore },
  '/v1/tournaments/12/standings': cupStandings(
    '12',
    'running',
    EIGHT.map((rank) => cupLine(rank)),
  ),
  '/v1/tournaments/12/rounds/1/tables': cupTables(
    1,
    [1, 2].map((n) =>
      cupTable(
        n,
        [n, n + 2, n + 4, n + 6].map((entry, i) => cupPlayed(entry, i, i + 1)),
      ),
    ),
  ),
  '/v1/tournaments/12/rounds/2/tables': cupTables(2, [
    cupTable(1, [cupSeat(2, 0), cupSeat(1, 1)], { table_id: '918', over: false, watch: true, game_id: null }),
  ]),
  '/v1/tournaments/13': {
    ...swiss,
    ...cupMore,
    own: { ...cupEntry, tournament_id: '13', table_id: null, in: false, place: 2, prize_silver: 35 },
  },
  '/v1/tournaments/13/standings': cupStandings(
    '13',
    'ended',
    EIGHT.map((rank) =>
      cupLine(rank, { place: rank, in: false, prize_silver: rank < 3 ? 100 - 35 * rank : 0 }),
    ),
  ),
  '/v1/tournaments/13/rounds/1/tables': cupTables(1, [
    cupTable(1, [cupPlayed(1, 0, 1), cupPlayed(2, 1, 2)]),
    cupTable(2, [cupSeat(3, 0)], { table_id: null, game_id: null }),
  ]),
  '/v1/tournaments/13/rounds/2/tables': cupTables(2, [cupTable(1, [cupPlayed(3, 0, 1), cupPlayed(2, 1, 2)])]),
  '/v1/tournaments/16': {
    ...same,
    ...cupMore,
    own: { ...cupEntry, tournament_id: '16', table_id: null, seat: 2, place: 2 },
    deals: [1, 2].map((round) => ({ round, seed: `4${round}`.repeat(32) })),
  },
  '/v1/tournaments/16/standings': cupStandings(
    '16',
    'ended',
    EIGHT.map((rank) => cupLine(rank, { place: rank, in: false, percent: 100 - 11.9 * rank })),
  ),
  '/v1/tournaments/16/rounds/1/tables': cupTables(1, sameTables(1)),
  '/v1/tournaments/16/rounds/2/tables': cupTables(2, sameTables(2)),
  '/v1/tournaments/16/rounds/2/seats/2': sameSeats,
  '/v1/tournaments/17': {
    ...same,
    ...cupMore,
    id: '17',
    state: 'running',
    ended_at: null,
    own: { ...cupEntry, tournament_id: '17' },
    deals: [{ round: 1, seed: '41'.repeat(32) }],
  },
  '/v1/tournaments/17/standings': cupStandings(
    '17',
    'running',
    EIGHT.map((rank) => cupLine(rank, { place: null, in: true, percent: 100 - 11.9 * rank })),
  ),
  '/v1/tournaments/17/rounds/1/tables': cupTables(1, sameTables(1)),
  '/v1/tournaments/17/rounds/2/tables': cupTables(2, [
    cupTable(1, [cupSeat(2, 0), cupSeat(1, 1)], { table_id: '918', over: false, game_id: null }),
    cupTable(2, [cupSeat(3, 0), cupSeat(4, 1)], { game_id: null }),
  ]),
  '/v1/tournaments/15': {
    ...cups[0],
    ...cupMore,
    own: { ...cupEntry, tournament_id: '15', round: null, table: null, table_id: null },
    draws: [],
  },
  '/v1/tournaments/15/standings': cupStandings(
    '15',
    'open',
    [1, 2, 3].map((rank) => cupLine(rank, { place: null, score: 0, margin: 0, wins: 0 })),
  ),
};
const statistics = {
  variant: 'rummy51',
  games: 21,
  rated: 20,
  wins: 7,
  opened: 18,
  rummies: 1,
  places: [7, 6, 5, 3, 0, 0],
  points_average: 78.7,
  win_streak: 1,
  win_streak_best: 3,
  rating: 7870,
};
const player = {
  id: '42',
  nickname: 'Mia',
  avatar: 'fennec',
  kind: 'guest',
  level: 3,
  title: 'Butterfly',
  clover_points: 341,
  created_at: at(-900),
  league: 'tundra',
  achievements: ['first_game'],
  streak_days: 3,
  daily_streak_days: 4,
  variants: [statistics, { ...statistics, variant: 'pool201', rated: 3, rating: null }],
  last_games: [
    {
      id: '31',
      variant: 'rummy51',
      room: 'desert',
      ended_at: at(-2),
      place: 1,
      won: true,
      rated: true,
      hidden: false,
      record: '/v1/games/31/record',
    },
    {
      id: '30',
      variant: 'treff',
      room: null,
      ended_at: at(-3),
      place: 2,
      won: false,
      rated: false,
      hidden: false,
      record: '/v1/games/30/record',
    },
  ],
};
const ratingHistory = {
  variant: 'rummy51',
  games: 24,
  averages: {
    place: 1.83,
    opened: 0.875,
    opening: 56.5,
    opening_turn: 4.3,
    sets: 0.8,
    runs: 1.6,
    cards_left: 4.2,
  },
  same_deal: { deals: 7, percent: 61.9, better: 4.3 },
  ratings: Array.from({ length: 24 }, (_, i) => ({
    game_id: String(40 + i),
    at: at(-24 + i),
    rating: 7000 + 35 * i + 400 * (i % 3),
  })),
  rivals: [
    { player_id: '57', nickname: 'Ben', avatar: 'owl', games: 9, ahead: 5, behind: 4 },
    { player_id: '41', nickname: 'Player 1', avatar: 'fennec', games: 2, ahead: 0, behind: 2 },
  ],
};
const nothingPlayed = {
  variant: 'pool201',
  games: 0,
  averages: {
    place: null,
    opened: null,
    opening: null,
    opening_turn: null,
    sets: null,
    runs: null,
    cards_left: null,
  },
  same_deal: { deals: 0, percent: null, better: null },
  ratings: [],
  rivals: [],
};
/** The current ISO week, by UTC: "2026-W48". */
export function thisWeek() {
  const day = Math.floor(Date.now() / 86_400_000);
  const thursday = new Date((day + 3 - ((day + 3) % 7)) * 86_400_000);
  const number = 1 + Math.floor((thursday - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / 604_800_000);
  return `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}`;
}
const WEEK = `/v1/me/weeks/${thisWeek()}`;
const week = {
  week: thisWeek(),
  starts_at: at(-100),
  ends_at: at(68),
  previous: '2026-W47',
  next: null,
  games: 12,
  wins: 5,
  clover: 740,
  seconds: 9120,
  best: { game_id: '31', variant: 'rummy51', room: 'desert', points: -40, clover: 100, rummy: true },
  variants: [
    { variant: 'rummy51', games: 9, wins: 4, clover: 640, rating: 7870, rating_before: 7710 },
    { variant: 'points', games: 2, wins: 1, clover: 100, rating: 6000, rating_before: null },
    { variant: 'treff', games: 1, wins: 0, clover: 0, rating: 4100, rating_before: 4320 },
  ],
  level: 3,
  level_points: 91,
  level_points_needed: 200,
  levels_gained: 1,
  daily_days: 4,
  daily_streak_days: 0,
  friends: [
    { player_id: '57', nickname: 'Ben', avatar: 'owl', place: 1, games: 14, wins: 7 },
    { player_id: '42', nickname: 'Mia', avatar: 'fennec', place: 2, games: 12, wins: 5 },
    { player_id: '41', nickname: LONG, avatar: 'fox', place: 3, games: 3, wins: 0 },
  ],
};
const quests = {
  week: '2026-W47',
  starts_at: at(-100),
  ends_at: at(68),
  items: [
    { id: 'games_10', counter: 'games', variant: null, goal: 10, gold: 10, progress: 4, done_at: null },
    {
      id: 'rummy51_3',
      counter: 'any_wins',
      variant: 'rummy51',
      goal: 3,
      gold: 10,
      progress: 3,
      done_at: at(-2),
    },
    {
      id: 'tournaments_1',
      counter: 'tournaments',
      variant: null,
      goal: 1,
      gold: 10,
      progress: 0,
      done_at: null,
    },
  ],
};
const achievements = [
  { id: 'wins_10', counter: 'wins', gold: 20, goal: 10, progress: 7, earned_at: null },
  { id: 'first_game', counter: 'games', gold: 5, goal: 1, progress: 1, earned_at: at(-100) },
  { id: 'bury_first', counter: 'buried', gold: 5, goal: 1, progress: 0, earned_at: null },
];
export const order = (state, extra = {}) => ({
  id: '41',
  state,
  pack: 'gold_300',
  gold: 300,
  amount: 499,
  currency: 'eur',
  provider: 'stripe',
  pay_url: null,
  created_at: at(-1),
  expires_at: at(1),
  paid_at: null,
  refunded: 0,
  gold_back: 0,
  gold_short: 0,
  why: null,
  ...extra,
});
const packs = {
  items: [100, 300, 1000].map((gold) => ({
    id: `gold_${gold}`,
    name: `${gold} gold`,
    gold,
    amount: gold + 99,
    currency: 'eur',
  })),
  providers: ['stripe'],
};
export const notice = (id, kind, data, read = false) => ({
  id: String(id),
  at: at((id - 900) / 10),
  kind,
  data,
  read,
});
const notices = [
  notice(812, 'friend', { player_id: '57', nickname: 'Ben', state: 'asks' }),
  notice(811, 'level', { level: 6, title: 'Frog', gold: 15, rooms: ['tundra'] }),
  notice(810, 'season', promoted, true),
  notice(808, 'refund', { table_id: '916', variant: 'rummy51', silver: 4, gold: 6 }, true),
  notice(807, 'achievement', { id: 'first_game', counter: 'games', goal: 1, gold: 5 }, true),
];
export const friend = (player_id, nickname, state, title = 'Ant') => ({
  player_id,
  nickname,
  avatar: 'owl',
  title,
  state,
});
const friends = [
  friend('57', 'Ben', 'asks'),
  friend('58', 'Noor', 'friends', 'Frog'),
  friend('59', LONG, 'asked'),
];
const club = (id, own, more = {}) => ({
  ...{
    id,
    name: 'Night Owls',
    about: 'Every evening at nine, whoever has time.',
    joining: 'ask',
    members: 12,
    created_at: at(-300),
    own,
  },
  ...{ owner: { player_id: '42', nickname: 'Mia', avatar: 'fox' }, ...more },
});
const clubs = [
  club('7', 'owner'),
  club('8', 'asks', { name: 'Larks', about: '', joining: 'open', members: 1 }),
  club('9', null, { name: LONG.slice(0, 20), about: LONG.repeat(4), members: BIG }),
];
const member = (player_id, nickname, role) => ({
  player_id,
  nickname,
  avatar: 'owl',
  title: 'Ant',
  role,
  at: at(-100),
});
const clubTable = (table_id, state, variant, people, more = {}) => ({
  ...{
    table_id,
    state,
    variant,
    options: {},
    seats: 4,
    people: people.length,
    bots: 0,
    stake: 0,
    point_value: 0,
    watch_delay_ms: 0,
    bot_accounts: false,
    turn_hours: null,
  },
  ...{
    players: people.map(([player_id, nickname]) => ({ player_id, nickname, avatar: 'owl' })),
    ws_url: null,
    created_at: at(-1),
    ...more,
  },
});
const clubLine = (id, player_id, nickname, text) => ({
  id,
  player_id,
  nickname,
  avatar: 'owl',
  text,
  at: at(-1),
});
const blocks = [{ player_id: '60', nickname: 'Loud One', muted: true, blocked: true }];
const invites = {
  code: '5F0C6CF2',
  acceptance: 'guest',
  gold: 30,
  invited_gold: 10,
  games: 10,
  people: 3,
  paid: 1,
  paid_max: 50,
  items: [
    { nickname: 'Ben', level: 3, games: 10, at: at(-50), state: 'paid' },
    { nickname: LONG, level: 1, games: 2, at: at(-5), state: 'open' },
  ],
};
const game = (id, extra = {}) => ({
  id: String(id),
  table_id: '9',
  variant: 'rummy51',
  room: 'desert',
  started_at: at(-2.1),
  ended_at: at(-2),
  took_part: true,
  same_people: false,
  place: 1,
  points: -40,
  rummy: false,
  won: true,
  rated: true,
  practice: false,
  silver: 10,
  gold: 0,
  hidden: false,
  clover: 100,
  opponents: [
    { nickname: 'Benedict of the Dunes', avatar: 'owl', bot: false, place: 2 },
    { nickname: 'Otto', avatar: '', bot: true, place: 3 },
  ],
  ...extra,
});

export const ANSWERS = {
  '/v1/me': ME,
  '/v1/wallet': wallet,
  '/v1/wallet/postings': {
    items: [
      posting('3', 'reward', 'silver', 10, 96, '917'),
      posting('4', 'stake', 'silver', -10, 86, '917'),
      posting('9', 'achievement', 'gold', 5, 20),
    ],
    next: 'p2',
  },
  '/v1/rooms': { items: [] },
  '/v1/me/tables': {
    items: [
      {
        table_id: '918',
        variant: 'rummy51',
        room: 'desert',
        code: null,
        seat: 0,
        state: 'playing',
        turn_hours: null,
        turn: null,
      },
      {
        table_id: '917',
        variant: 'rummy51',
        room: 'desert',
        code: null,
        seat: 2,
        state: 'lost',
        turn_hours: null,
        turn: null,
      },
      {
        table_id: '921',
        variant: 'treff',
        room: null,
        code: 'K7WQ2M',
        seat: 1,
        state: 'playing',
        turn_hours: 24,
        turn: { seats: [0], ends_at: null },
      },
      {
        table_id: '920',
        variant: 'treff',
        room: null,
        code: 'K7WQ2N',
        seat: 1,
        state: 'playing',
        turn_hours: 24,
        turn: { seats: [1], ends_at: at(20) },
      },
    ],
  },
  '/v1/games': {
    items: [game(31), game(30, { place: 2, points: 35, silver: -10, clover: 70, rummy: true })],
    next: null,
  },
  '/v1/variants': { items: [{ id: 'rummy51', seats_min: 2, seats_max: 4, options: [] }] },
  '/v1/daily-deals': dailyDeals,
  ...PUZZLES,
  [`/v1/daily-deals/${at(0).slice(0, 10)}/rummy51/board`]: dailyBoard(
    at(0).slice(0, 10),
    [1, 2, 3].map((i) => dailyLine(i)),
  ),
  [`/v1/daily-deals/${at(-24).slice(0, 10)}/rummy51/board`]: dailyBoard(at(-24).slice(0, 10), [
    dailyLine(1, { game_id: '31' }),
    dailyLine(2, { left: true }),
  ]),
  '/v1/leagues': leagues,
  ...tournaments,
  ...matches,
  '/v1/leagues/tundra': {
    league: 'tundra',
    season: 3,
    items: [1, 2, 3].map((i) => line(i, { wins: 3, rating: 7100 - i, ranked: i < 3 })),
    next: null,
  },
  '/v1/leagues/desert': { league: 'desert', season: 3, items: [], next: null },
  '/v1/me/seasons': {
    items: [ended(promoted, 50), ended(stayed)],
    next: null,
  },
  '/v1/leaderboards/rummy51/rating/month': {
    variant: 'rummy51',
    board: 'rating',
    period: 'month',
    items: [1, 2, 3].map((i) => line(i, { value: 8000 - i })),
    next: 'c1',
  },
  '/v1/leaderboards/rummy51/wins/all/around': { place: 2, items: [line(2, { value: 9 })] },
  '/v1/leaderboards/rummy51/wins/all/friends': (request) => {
    const later = request.url().includes('cursor=f2');
    const items = [line(later ? 60 : 2, { value: later ? 4 : 9 })];
    return { variant: 'rummy51', board: 'wins', period: 'all', items, next: later ? null : 'f2' };
  },
  '/v1/leaderboards/rummy51/wins/all': {
    variant: 'rummy51',
    board: 'wins',
    period: 'all',
    items: [],
    next: null,
  },
  '/v1/leaderboards/rummy51/wins/month': {
    variant: 'rummy51',
    board: 'wins',
    period: 'month',
    items: [],
    next: null,
  },
  '/v1/leaderboards/rummy51/bot_wins/month': {
    variant: 'rummy51',
    board: 'bot_wins',
    period: 'month',
    items: [line(1, { nickname: 'Robin', value: 31, own: false })],
    next: null,
  },
  '/v1/players/41': { ...player, id: '41', nickname: 'Player 1' },
  '/v1/players/42': player,
  '/v1/players/57': { ...player, id: '57', nickname: 'Ben' },
  ...Object.fromEntries(
    ['41', '42', '57'].map((id) => [`/v1/players/${id}/variants/rummy51`, ratingHistory]),
  ),
  '/v1/players/42/variants/pool201': nothingPlayed,
  '/v1/me/achievements': { items: achievements },
  '/v1/me/quests': quests,
  [WEEK]: week,
  '/v1/shop/packs': packs,
  '/v1/shop/orders': {
    items: [order('charged_back', { gold_back: 80, gold_short: 220 }), order('failed', { id: '40' })],
    next: null,
  },
  '/v1/notifications': { items: notices, next: null },
  '/v1/friends': { items: friends, next: null },
  '/v1/me/blocks': { items: blocks, next: null },
  '/v1/clubs': { items: clubs, next: null },
  '/v1/me/clubs': { items: clubs.slice(0, 2) },
  '/v1/clubs/7': clubs[0],
  '/v1/clubs/7/members': {
    items: [member('57', 'Ben', 'asks'), member('42', 'Mia', 'owner'), member('58', LONG, 'member')],
    next: null,
  },
  '/v1/clubs/7/chat': {
    items: [
      clubLine('3', '58', LONG, 'See you at nine.'),
      clubLine('2', '57', 'Ben', LONG.repeat(3)),
      clubLine('1', '42', 'Mia', 'Who has time tonight?'),
    ],
    next: 'cGFnZQ',
  },
  '/v1/clubs/7/tables': {
    items: [
      clubTable('91', 'waiting', 'straight', [['58', LONG]]),
      clubTable(
        '90',
        'playing',
        'pool101',
        [
          ['57', 'Ben'],
          ['59', 'Noor'],
        ],
        { stake: 20, turn_hours: 24 },
      ),
    ],
    next: null,
  },
  '/v1/clubs/7/leaderboards/rummy51/rating/all': {
    variant: 'rummy51',
    board: 'rating',
    period: 'all',
    items: [line(2, { value: 8000, own: true }), line(60, { value: 7500 })],
    next: null,
  },
  '/v1/invites': invites,
  '/v1/me/vacation': { on: false, since: null, until: null, days_a_year: 21, hours_left: 500 },
  '/v1/me/notification-settings': {
    push_friend: true,
    push_season: true,
    push_table_invite: true,
    push_tournament_table: true,
    push_your_turn: true,
    mail_your_turn: false,
    week: true,
  },
  '/v1/me/limits': {
    minutes_per_day: 90,
    purchases_per_day: 2050,
    excluded_until: null,
    minutes_today: 12,
    purchases_today: 499,
    pending: [{ limit: 'minutes_per_day', value: 120, until: null, at: at(72) }],
  },
  '/v1/me/export': { state: 'none' },
  '/v1/me/deletion': { state: 'none', days: 14 },
  '/v1/me/account': { has_password: false, proof: 'none' },
  '/v1/auth/oidc': {
    items: [
      { id: 'google', name: 'Google' },
      { id: 'apple', name: 'Apple' },
    ],
  },
  '/v1/me/identities': { items: [] },
  '/v1/me/factor': { on: false, since: null, recovery_codes_left: 0 },
  '/v1/me/passkeys': {
    items: [
      {
        id: '12',
        name: 'Phone',
        synced: true,
        transports: ['hybrid', 'internal'],
        created_at: at(-50),
        used_at: at(-2),
      },
      { id: '13', name: 'Blue key', synced: false, transports: ['usb'], created_at: at(-50), used_at: null },
    ],
  },
  '/v1/me/sessions': {
    items: [
      {
        id: '5117',
        app: 'Firefox',
        system: 'Linux',
        network: '203.0.113.0/24',
        created_at: at(-50),
        used_at: at(0),
        current: true,
      },
      {
        id: '4802',
        app: 'RummyApp',
        system: null,
        network: '2001:db8:77::/48',
        created_at: at(-500),
        used_at: at(-70),
        current: false,
      },
      {
        id: '4711',
        app: null,
        system: null,
        network: null,
        created_at: at(-600),
        used_at: at(-90),
        current: false,
      },
    ],
  },
};

/** The same for a player with the longest name and very many chips. */
export const RICH = {
  ...ANSWERS,
  '/v1/me': {
    ...ME,
    nickname: LONG,
    title: 'Alligator',
    level: 50,
    level_points: BIG,
    level_points_needed: null,
    clover_points: BIG,
  },
  '/v1/wallet': { ...wallet, silver: 300, silver_cap: 300, gold: BIG },
  '/v1/wallet/postings': { items: [posting('9', 'shop_back', 'gold', BIG, BIG)], next: null },
  '/v1/players/42': {
    ...player,
    nickname: LONG,
    clover_points: BIG,
    achievements: achievements.map((a) => a.id),
  },
  '/v1/players/42/variants/rummy51': {
    ...ratingHistory,
    rivals: ratingHistory.rivals.map((one) => ({
      ...one,
      nickname: LONG,
      games: BIG,
      ahead: BIG,
      behind: BIG,
    })),
  },
  '/v1/players/57': {
    ...player,
    id: '57',
    nickname: LONG,
    clover_points: BIG,
    achievements: achievements.map((a) => a.id),
  },
  '/v1/friends': {
    items: ['friends', 'asked', 'asks'].map((state, i) => friend(String(57 + i), LONG, state, 'Butterfly')),
    next: null,
  },
  '/v1/me/blocks': { items: [{ ...blocks[0], nickname: LONG }], next: null },
  '/v1/notifications': {
    items: Array.from({ length: 50 }, (_, i) =>
      notice(812 - i, 'friend', { player_id: '57', nickname: LONG, state: 'asks' }),
    ),
    next: 'n2',
  },
};

/** The same for a new player. */
export const NEW = {
  ...ANSWERS,
  '/v1/wallet': {
    silver: 60,
    gold: 0,
    silver_cap: 100,
    holds: [],
    bonus: { ...wallet.bonus, streak: 0, today_amount: null, today_lost: null },
  },
  '/v1/wallet/postings': { items: [], next: null },
  '/v1/games': { items: [], next: null },
  [WEEK]: {
    ...week,
    ...{ previous: null, games: 0, wins: 0, clover: 0, seconds: 0, best: null, variants: [] },
    ...{ levels_gained: 0, daily_days: 0, friends: week.friends.slice(1, 2) },
  },
  '/v1/leagues': { ...leagues, own: null },
  '/v1/tournaments': { items: [], next: null },
  '/v1/me/seasons': { items: [], next: null },
  '/v1/leaderboards/rummy51/rating/month': {
    variant: 'rummy51',
    board: 'rating',
    period: 'month',
    items: [],
    next: null,
  },
  '/v1/players/42': {
    ...player,
    league: null,
    achievements: [],
    variants: [],
    last_games: [],
    streak_days: 0,
  },
  '/v1/shop/packs': { ...packs, providers: [] },
  '/v1/shop/orders': { items: [], next: null },
  '/v1/notifications': { items: [], next: null },
  '/v1/friends': { items: [], next: null },
  '/v1/clubs': { items: [], next: null },
  '/v1/me/clubs': { items: [] },
  '/v1/me/blocks': { items: [], next: null },
  '/v1/invites': (request) => ({
    ...invites,
    code: request.method() === 'GET' ? null : invites.code,
    paid: 0,
    items: [],
  }),
};
