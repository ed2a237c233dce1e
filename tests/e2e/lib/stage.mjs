/* A table without a server: the page's requests get mocked responses from a fixed scene, so that its layout
 * can be checked at any moment of a game, including crowded ones. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { keepSession } from './browser.mjs';
import { answerFor } from './static.mjs';

const { parseYaml } = createRequire(import.meta.url)('../../../server/http/docs/docs.js');
/** Only a part of the contract, because reading all of it would cost each process of Playwright 0.15 s. */
const PATHS = parseYaml(
  readFileSync(new URL('../../../api/openapi/paths/rooms.yaml', import.meta.url), 'utf8'),
);
const SEAL = '7d1a54127b222502f5b79b5fb0803061152a44f92b37e23c6527baf665d4da9a';

export const ME = {
  id: '42',
  nickname: 'Mia',
  avatar: 'fennec',
  kind: 'guest',
  level: 3,
  title: 'Butterfly',
  clover_points: 341,
  level_points: 91,
  level_points_needed: 200,
  rating: { value: 7870, games: 20 },
  email_verified: false,
  rewards_withheld: false,
  language: 'en',
  nickname_changes_at: null,
  created_at: '2026-11-01T10:00:00.000Z',
};
const BONUS = {
  due: false,
  streak: 0,
  played_today: false,
  today_amount: null,
  today_lost: null,
  tomorrow_amount: 40,
  tomorrow_at: '2026-11-02T22:00:00.000Z',
};
const WALLET = { silver: 96, gold: 20, silver_cap: 112, holds: [], bonus: BONUS };
const ROOM_ROWS = [
  ['desert', 'Desert', 10, 10, '1.0', 'Ant', 1, 12],
  ['tundra', 'Tundra', 20, 25, '2.2', 'Frog', 6, 7],
  ['steppe', 'Steppe', 30, 40, '3.4', 'Snake', 12, 4],
  ['savannah', 'Savannah', 40, 55, '4.6', 'Wolf', 18, 0],
  ['oasis', 'Oasis', 50, 75, '5.8', 'Eagle', 27, 4],
  ['forest', 'Forest', 60, 90, '7.0', 'Elephant', 38, 0],
];
const [{ value: rooms }] = Object.values(
  PATHS['/v1/rooms'].get.responses[200].content['application/json'].examples,
);
/** Rooms with all members that the contract currently defines. */
export const ROOMS = ROOM_ROWS.map(([id, name, stake, reward, multiplier, title, level, people]) => ({
  ...rooms.items[0],
  id,
  name,
  stake,
  reward,
  multiplier,
  title_required: title,
  level_required: level,
  unlocked: level <= 3,
  why_locked: level <= 3 ? null : 'room_locked',
  people,
  tables: Math.ceil(people / 4),
}));

const HAND = 'AH1 5S1 6S1 7S2 8S1 9D1 9H2 X2 JC1 QC1 KC2 2D1 3D2 TH1 4C2'.split(' ');
const MELDS = [
  { id: 1, kind: 'run', owner: 1, low: 8, suit: 'H', cards: ['9H1', 'TH2', 'JH1', 'X1', 'KH2', 'AH2'] },
  { id: 2, kind: 'set', owner: 1, low: 6, suit: null, cards: ['7C1', '7D1', '7H1'] },
  { id: 3, kind: 'run', owner: 2, low: 0, suit: 'S', cards: ['AS1', '2S1', '3S2', '4S1'] },
  { id: 4, kind: 'set', owner: 2, low: 12, suit: null, cards: ['KS1', 'KD1', 'X3', 'KC1'] },
  { id: 5, kind: 'set', owner: 3, low: 3, suit: null, cards: ['4H1', '4D2', '4C1'] },
  { id: 6, kind: 'run', owner: 0, low: 9, suit: 'D', cards: ['TD1', 'JD1', 'QD2'] },
  { id: 7, kind: 'set', owner: 0, low: 1, suit: null, cards: ['2C1', '2H1', '2S2'] },
].map((meld) => ({ staged: false, ...meld }));

function seat(i, nick, avatar, extra = {}) {
  return {
    seat: i,
    player_id: i === 0 ? '42' : i === 2 ? '57' : null,
    nick,
    avatar,
    bot: i === 1 || i === 3,
    on: true,
    away: false,
    left: false,
    opened: true,
    cards_n: 9,
    round: 6,
    points: 0,
    ...extra,
  };
}

/** A crowded moment of a game; `change` modifies it. */
export function scene(change = {}) {
  return {
    table: {
      id: '917',
      variant: 'rummy51',
      room: 'desert',
      hand_no: 1,
      commit: SEAL,
      stake: 10,
      reward: 10,
      multiplier: '1.0',
    },
    me: 0,
    phase: 'play',
    to_move: 0,
    starter: 2,
    seats: [
      seat(0, 'Mia', 'fennec', { cards_n: HAND.length }),
      seat(1, 'Karim', 'owl', { cards_n: 5 }),
      seat(2, 'Aurelia Longname', 'palm', { cards_n: 7, away: true }),
      seat(3, 'Yusuf', 'lantern', { cards_n: 11 }),
    ],
    hand: HAND,
    stock_n: 31,
    discard: ['3C1', 'JS1', '8H2', '5D1', 'QH1'],
    melds: MELDS,
    turn: {
      drew: true,
      drawn: '4C2',
      may_cancel: false,
      must_open: false,
      stock_only: false,
      opening_turn: false,
      staged_sum: 0,
      opening_min: 51,
      freed_jokers: 0,
    },
    clock: { seat: 0, ms_left: 22_000, turn_ms: 30_000, hand_ms_left: [72_000, 120_000, 41_000, 98_000] },
    result: null,
    ...change,
  };
}

/** The signed-in player, as stored by the page. */
export const SESSION = { access: 'a', renewAt: Date.now() + 1e9, refresh: 'r' };

/** Replies to a ping as a working connection does; returns whether it was a ping. */
export function answersPing(socket, { t, id }) {
  if (t === 'ping') socket.send(JSON.stringify({ t: 'pong', id, d: { now: new Date().toISOString() } }));
  return t === 'ping';
}

export class Stage {
  constructor(page, snapshot) {
    this.page = page;
    this.begin(snapshot);
  }

  /** Resets the stage for the next test: no commands sent yet, and this moment of the game. */
  begin(snapshot = scene()) {
    this.sent = [];
    this.socket = null;
    this.answer = null;
    this.held = null;
    this.snapshot = snapshot;
    this.more = {}; // additional responses
    this.code = null; // of a private table
    this.waiting = null; // otherwise the table still waits for players
    this.v = 200;
  }

  async set() {
    await keepSession(this.page, SESSION);
    await answerFor(this.page, (request) => this.rest(request));
    await this.page.routeWebSocket(/\/ws\/tables\//, (socket) => this.connect(socket));
    return this;
  }

  /** Withholds tickets from all clients from now on; the returned function grants them again. */
  holdTickets() {
    let release;
    this.held = new Promise((done) => (release = done));
    return release;
  }

  async rest(request) {
    const path = new URL(request.url()).pathname;
    if (path.endsWith('/tickets')) await this.held;
    const answers = {
      '/v1/me': ME,
      '/v1/wallet': WALLET,
      '/v1/me/tables': { items: [] },
      '/v1/rooms': { items: ROOMS },
      '/v1/wallet/postings': { items: [], next: null },
      '/v1/tables/917/tickets': {
        table_id: '917',
        seat: 0,
        ws_url: 'ws://127.0.0.1:1/ws/tables/917',
        ticket: 't',
        expires_at: '2030-01-01T00:00:00.000Z',
        commit: SEAL,
        code: this.code,
      },
      ...this.more,
    };
    const json = answers[path];
    return json ? { json } : { status: 404, json: { code: 'not_found' } };
  }

  connect(socket) {
    this.socket = socket;
    socket.onMessage((text) => {
      const frame = JSON.parse(text);
      if (socket !== this.socket || answersPing(socket, frame)) return; // of the previous test
      this.sent.push(frame);
      if (frame.t === 'seed') this.ack(frame); // the page treats a connection as dead if a command gets no reply
      this.answer?.(frame);
    });
    this.send(
      this.waiting ? { t: 'waiting', d: this.waiting } : { t: 'snapshot', v: this.v, d: this.snapshot },
    );
  }

  send(frame) {
    this.socket.send(JSON.stringify(frame));
  }

  event(t, seat, d) {
    this.send({ v: ++this.v, t, seat, d });
  }

  ack(frame) {
    this.send({ t: 'ack', id: frame.id, v: this.v });
  }

  /** Commands of one type that the page has sent. */
  commands(type) {
    return this.sent.filter((f) => f.t === type);
  }
}
