/* Moments of a table that a player may see, each with the steps that lead to it: for screenshots and for checks
 * that apply to all of them. */
import { groupCards, makeGroups, selectCards, settled as handSettled } from './board.mjs';
import { GROUPS, indian, indianDraw, owed, REST, staged } from './scenes.mjs';
import { scene } from './stage.mjs';

const drawing = (change) =>
  scene({ phase: 'draw', turn: { ...scene().turn, drew: false, drawn: null }, ...change });
const unopened = (seat) => ({ ...seat, opened: false, round: 1 });

/** No one has melded yet. */
export function firstRound(change = {}) {
  return scene({ melds: [], discard: ['3C1'], seats: scene().seats.map(unopened), ...change });
}

const refusal = {
  t: 'nack',
  code: 'not_a_meld',
  cards: ['2D1', '9H2'],
  text: 'These cards make no meld: a set has one rank, a run one suit.',
};
const score = (seat, place, extra = {}) => ({
  ...{
    seat,
    points: [-40, 23, 54, 61][place - 1],
    place,
    cards: place === 1 ? [] : ['9H2', 'X2', '2D1', '3D2'],
    opened: true,
  },
  ...{ won: place === 1, rummy: false, left: false, ...extra },
});
const settled = (seat, place, extra = {}) => ({
  ...{
    seat,
    place,
    points: 0,
    clover: 70,
    silver: null,
    gold: null,
    silver_lost: null,
    level_gold: null,
    level: null,
  },
  ...{
    levels_gained: null,
    title: null,
    rating: null,
    turns: 9,
    own_turns: 9,
    took_part: true,
    same_people: false,
    ...extra,
  },
});
export const PRIZE = settled(0, 1, {
  clover: 100,
  silver: 30,
  gold: 4,
  silver_lost: 6,
  level_gold: 15,
  level: 4,
  levels_gained: 1,
  title: 'Turtle',
  rating: 7912,
});

/** The last card is discarded, and the result is counted. */
export function ends(stage, prizes = [PRIZE, settled(1, 2), settled(2, 3), settled(3, 4)]) {
  stage.event('discarded', 0, { cards: ['KC2'], buried: false });
  stage.event('hand_ended', null, { winner: 0, ending: 'out', rummy: false });
  const scores = [0, 1, 2, 3].map((seat, i) => score(seat, i + 1));
  scores.forEach((one) => stage.event('scored', one.seat, one));
  stage.event('session_ended', null, { winner: 0, winners: [0], totals: [-40, 27, 100, 58] });
  /* A starved machine may lose its connection; when it reconnects, the hand is still over. */
  const hand = stage.snapshot.hand.filter((name) => name !== 'KC2');
  stage.snapshot = {
    ...stage.snapshot,
    hand,
    phase: 'over',
    to_move: null,
    clock: null,
    result: { winner: 0, winners: [0], ending: 'out', seats: scores },
  };
  stage.send({ t: 'settled', d: { game_id: '31', seats: prizes } });
}

function handEnds(stage) {
  stage.event('hand_ended', null, { winner: 1, ending: 'out', rummy: false });
  for (let seat = 0; seat < 6; seat++)
    stage.event('scored', seat, {
      ...score(seat, 2),
      points: seat === 1 ? 0 : 20,
      total: 110 - seat,
      bonus: 0,
      place: 6 - seat,
      won: seat === 1,
    });
  stage.event('eliminated', 0, { total: 110 });
  stage.send({
    t: 'next_hand',
    d: { hand_no: 2, commit: 'ab'.repeat(32), starts_in_ms: 900_000, ready: [] },
  });
}

export async function talk(page, stage) {
  const said = (id, seat, text) =>
    stage.send({ t: 'chat', d: { id: String(id), seat, text, at: '2026-11-24T10:00:00.000Z' } });
  said(1, 1, 'Good luck to all of you!');
  said(2, 2, 'What a hand, I wish I had thrown the queen of hearts');
  said(3, 3, 'Well played!');
  said(4, 0, 'Thank you');
  await page.locator('.said-bubble').nth(3).waitFor();
}

async function declared(page, stage) {
  await makeGroups(page);
  const groups = ['2H1 3H1 4H1 5H2', '5C1 6C1 7C1', 'TS2 TH1 TD1', 'KS1 KD1 KH1'].map((g) => g.split(' '));
  stage.event('declared', 1, { valid: true, groups, rest: ['9C1'] });
  stage.send({ t: 'clock', d: { seat: null, ms_left: 280000, turn_ms: 300000 } });
  await page.locator('.finish [data-card="9C1"]').waitFor();
}

/* Found by structure, not by text: the moments are created in every language. */
const MENU = '.table-bar [data-dropdown-menu-trigger]';
const dialog = (page) => page.getByRole('dialog').waitFor();
const inMenu = async (page, item) => {
  await page.click(MENU);
  await page.click(`.menu-item[data-shows="${item}"]`);
};
const menu = async (page, item) => {
  await inMenu(page, item);
  await dialog(page);
};

/** Clients get no tickets until the next moment. */
async function cutOff(page, stage, code) {
  stage.holdTickets();
  await stage.socket.close({ code });
  await page.locator('[data-connection="open"]').waitFor({ state: 'detached' });
}

const PLAYED = {
  ...{
    from_v: 201,
    to_v: 230,
    turns: 4,
    time_outs: 3,
    melds: 1,
    lay_offs: 2,
    opening: 57,
    thrown: ['KC2', 'TH2', '4S1', '9C2'],
  },
  ...{ drop_points: null, hands: 1, points: 40, reserve_used_ms: 10000, reserve_left_ms: 0 },
};

/** The moves played for an absent player. */
export async function playedForYou(page, stage) {
  stage.send({ t: 'played_for_you', d: PLAYED });
  await page.locator('[data-away-note]').waitFor();
}

/** Three players wait for a fourth, or for bots. */
export function fills() {
  const seats = [0, 1, 2, 3].map((n) => ({
    seat: n,
    player_id: n < 3 ? String(42 + n) : null,
    nick: n < 3 ? `Player ${n}` : '',
    avatar: '',
    bot: false,
    on: n < 3,
  }));
  const { variant, room, commit, stake, reward, multiplier } = scene().table;
  return {
    variant,
    room,
    commit,
    stake,
    reward,
    multiplier,
    seats,
    bots: true,
    bots_n: 0,
    host: null,
    starts_in_ms: 600_000,
  };
}

/** A table where the coach is allowed: only bots and no stake. */
export function practice(change = {}) {
  const plain = scene(change);
  const seats = plain.seats.map((seat) => (seat.seat === 0 ? seat : { ...seat, bot: true, player_id: null }));
  return { ...plain, seats, table: { ...plain.table, room: '', stake: 0 } };
}

/** The server's list of legal moves: each single card may be discarded. */
export function answerLegal(stage, hand) {
  stage.answer = (frame) => {
    if (frame.t !== 'legal') return stage.ack(frame);
    const moves = hand.map((name) => ({ t: 'discard', d: { cards: [name] } }));
    stage.send({ t: 'legal', id: frame.id, d: { types: ['discard'], moves } });
  };
}

/** Name → state of the table. `prepare` runs before the page sends requests; `fleeting`: part of it
 * disappears after some seconds. */
export const MOMENTS = {
  play: {},
  'first-round': { snapshot: firstRound() },
  draw: { snapshot: drawing() },
  others: {
    snapshot: scene({
      to_move: 1,
      clock: { seat: 1, ms_left: 22_000, turn_ms: 30_000, hand_ms_left: [72_000, 100_000, 41_000, 98_000] },
    }),
  },
  'hand-clock': {
    snapshot: scene({
      clock: { seat: 0, ms_left: 7_900, turn_ms: 8_000, hand_ms_left: [7_900, 120_000, 41_000, 98_000] },
    }),
  },
  chosen: { make: (page) => selectCards(page, ['5S1', '6S1', '7S2', '8S1']) },
  groups: {
    make: (page) =>
      groupCards(page, [
        ['5S1', '6S1', '7S2', '8S1'],
        ['JC1', 'QC1', 'KC2'],
        ['9D1', '9H2', 'X2'],
      ]),
  },
  choice: {
    make: async (page) => {
      await selectCards(page, ['X2']);
      await page.click('[data-meld="6"]');
    },
  },
  refused: {
    fleeting: true,
    make: async (page, stage) => {
      stage.answer = (frame) => frame.t === 'meld' && stage.send({ ...refusal, id: frame.id });
      await selectCards(page, ['2D1', '9H2', 'JC1']);
      await page.keyboard.press('l');
      await page.getByRole('alert').waitFor();
    },
  },
  hints: {
    make: async (page, stage) => {
      const moves = [
        { t: 'meld', d: { cards: ['5S1', '6S1', '7S2', '8S1'] } },
        { t: 'lay_off', d: { card: '4C2', meld: 5 } },
        { t: 'meld', d: { cards: ['JC1', 'QC1', 'KC2'] } },
      ];
      stage.answer = (frame) =>
        frame.t === 'legal' &&
        stage.send({ t: 'legal', id: frame.id, v: stage.v, d: { types: ['meld'], moves } });
      await page.keyboard.press('h');
      await page.locator('.option').first().waitFor();
    },
  },
  staged: { snapshot: staged() },
  owed: { snapshot: owed() },
  talk: { fleeting: true, make: talk },
  chat: {
    fleeting: true,
    make: async (page, stage) => {
      await talk(page, stage);
      await page.click('.table-bar .talk');
      await dialog(page);
    },
  },
  pile: {
    snapshot: scene({ to_move: 1 }),
    make: async (page) => {
      await page.click('.discard');
      await dialog(page);
    },
  },
  seal: {
    make: async (page) => {
      await page.click('[data-seal]');
      await dialog(page);
    },
  },
  leaving: {
    make: async (page) => {
      await page.click('.table-bar > .btn');
      await dialog(page);
    },
  },
  keys: { make: (page) => menu(page, 'keys') },
  log: { make: (page) => menu(page, 'log') },
  rules: { make: (page) => menu(page, 'rules') },
  link: { make: (page) => menu(page, 'link') },
  settings: { make: (page) => menu(page, 'settings') },
  menu: { make: (page) => page.click(MENU) },
  coach: {
    snapshot: practice(),
    prepare: (stage) =>
      answerLegal(
        stage,
        stage.snapshot.hand.filter((name) => !name.startsWith('X')),
      ),
    make: async (page) => {
      await page.click(MENU);
      const coach = page.locator('.menu-item[data-shows="coach"]');
      /* A page that has shown the coach before, in another language, keeps the setting. */
      if ((await coach.getAttribute('aria-checked')) === 'true') await page.keyboard.press('Escape');
      else await coach.click();
      await page.locator('.coach').waitFor();
    },
  },
  waiting: { waiting: fills() },
  inviting: {
    waiting: { ...fills(), room: null, bots: false, host: 0, starts_in_ms: null },
    code: 'K7WQ2M',
  },
  hosted: { waiting: { ...fills(), room: null, bots: false, host: 0, starts_in_ms: null } },
  played: { make: playedForYou },
  paused: { make: (_, stage) => stage.send({ t: 'paused', d: {} }) },
  restarting: { make: (page, stage) => cutOff(page, stage, 4001) },
  lost: { make: (page, stage) => cutOff(page, stage, 4999) },
  replaced: { make: (page, stage) => cutOff(page, stage, 4003) },
  closed: { make: (page, stage) => cutOff(page, stage, 4403) },
  end: {
    snapshot: scene({
      hand: ['KC2'],
      seats: scene().seats.map((s) => (s.seat === 0 ? { ...s, cards_n: 1 } : s)),
    }),
    make: async (page, stage) => {
      ends(stage);
      await dialog(page);
    },
  },
  'lowest-hand': {
    snapshot: scene({ to_move: 1 }),
    make: async (page, stage) => {
      stage.event('hand_ended', null, { winner: 2, ending: 'no_cards', rummy: false });
      [2, 1, 0, 3].forEach((seat, i) =>
        stage.event('scored', seat, { ...score(seat, i + 1), cards: ['9H2'] }),
      );
      stage.event('session_ended', null, { winner: 2, winners: [2], totals: [0, 0, 0] });
      await dialog(page);
    },
  },
  indian: { snapshot: indian(), make: makeGroups },
  'indian-draw': { snapshot: indianDraw() },
  dropping: {
    snapshot: indianDraw(),
    make: async (page) => {
      await page.keyboard.press('q');
      await dialog(page);
    },
  },
  declared: { snapshot: indian({ to_move: 1, hand: [...GROUPS.flat(), ...REST.slice(1)] }), make: declared },
  'hand-end': {
    snapshot: indian({ to_move: 1 }),
    make: async (page, stage) => {
      handEnds(stage);
      await dialog(page);
    },
  },
  away: {
    snapshot: scene({
      to_move: 1,
      seats: scene().seats.map((s) => (s.seat === 0 ? { ...s, away: true } : s)),
    }),
  },
};

/** Shows the table at this moment, on a page of a stage; `go` opens an address. */
export async function showMoment(
  page,
  stage,
  origin,
  { prepare, make, waiting = null, code = null },
  go = (path) => page.goto(origin + path),
) {
  stage.waiting = waiting;
  stage.code = code;
  prepare?.(stage);
  await go('/table/917');
  await page.waitForSelector(waiting ? '.waiting' : '.hand [data-card]');
  if (!waiting) await handSettled(page);
  await make?.(page, stage);
}
