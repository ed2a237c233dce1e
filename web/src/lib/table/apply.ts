/* The effect of each event on the table: a pure reducer. */
import { isJoker, suitOf, type Card } from '$lib/cards/cards';
import { isWild } from '$lib/rules/groups';
import { meldWorth } from '$lib/rules/melds';
import type { EventData, TableEvent } from '@rummyd/client';
import { packSize } from '$lib/rules/rules';
import {
  freshTurn,
  wildOf,
  type HandResult,
  type Meld,
  type SeatState,
  type TableState,
  type TurnState,
} from './state';

function changeSeat(state: TableState, seat: number | null, change: (s: SeatState) => SeatState): TableState {
  return { ...state, seats: state.seats.map((s) => (s.seat === seat ? change(s) : s)) };
}

/** Adds cards to a seat's hand; only the player's own cards are known. */
function give(state: TableState, seat: number | null, cards: readonly Card[], n = cards.length): TableState {
  const next = changeSeat(state, seat, (s) => ({ ...s, cardsN: s.cardsN + n }));
  return seat === state.me ? { ...next, hand: [...next.hand, ...cards] } : next;
}

function take(state: TableState, seat: number | null, cards: readonly Card[]): TableState {
  const next = changeSeat(state, seat, (s) => ({ ...s, cardsN: s.cardsN - cards.length }));
  return seat === state.me ? { ...next, hand: next.hand.filter((c) => !cards.includes(c)) } : next;
}

function changeMeld(state: TableState, id: number, change: (m: Meld) => Meld): TableState {
  return { ...state, melds: state.melds.map((m) => (m.id === id ? change(m) : m)) };
}

function changeTurn(state: TableState, turn: Partial<TurnState>): TableState {
  return { ...state, turn: { ...state.turn, ...turn } };
}

function replaceCard(cards: readonly Card[], out: Card, into: Card): Card[] {
  return cards.map((c) => (c === out ? into : c));
}

/** A freed joker that has been used (melded or discarded) no longer has to be used. */
function used(state: TableState, cards: readonly Card[]): TableState {
  if (state.turn.freed.every((f) => !cards.includes(f.joker))) return state;
  return changeTurn(state, { freed: state.turn.freed.filter((f) => !cards.includes(f.joker)) });
}

function stagedSum(state: TableState, melds: readonly Meld[]): number {
  return melds.reduce((sum, m) => sum + (m.staged ? meldWorth(state.rules, m) : 0), 0);
}

/** Called when a new hand is dealt. Only the totals of the previous hand remain. */
function cleared(state: TableState, handNo = state.handNo + (state.result ? 1 : 0)): TableState {
  const seats = state.seats.map((s) => ({
    ...s,
    cardsN: 0,
    opened: false,
    dropped: false,
    wrong: false,
    satOut: s.eliminated,
    round: 1,
  }));
  return {
    ...state,
    seats,
    phase: 'draw',
    handNo,
    toMove: null,
    starter: null,
    hand: [],
    /* Without the turned-up card, which begins the pile and makes cards wild. */
    stockN: packSize(state.rules) - state.rules.face_up_start - (state.rules.wild_scope > 0 ? 1 : 0),
    discard: [],
    melds: [],
    turn: freshTurn(state.rules.opening_min),
    result: null,
    dealt: [],
    wildCard: null,
    declared: null,
    toGroup: [],
    grouping: [],
    dropPoints: state.rules.drop_first,
    flips: 0,
    mayTake: true,
    next: null,
  };
}

const NO_RESULT: HandResult = { winner: null, ending: null, rummy: false, scores: [] };

function withHistory(state: TableState, seat: number, points: number): TableState {
  const old = state.history.find((h) => h.handNo === state.handNo);
  const none = state.seats.map(() => null);
  const hand = { handNo: state.handNo, points: [...(old?.points ?? none)] };
  hand.points[seat] = points;
  return { ...state, history: [...state.history.filter((h) => h !== old), hand] };
}

type Handler<T extends keyof EventData> = (
  state: TableState,
  seat: number | null,
  d: EventData[T],
) => TableState;

const handlers: { [T in keyof EventData]: Handler<T> } = {
  dealt(state, seat, d) {
    const running = state.phase === 'draw' && state.toMove === null;
    const clean = running ? state : cleared(state, d.hand_no);
    const n = d.cards?.length ?? d.n ?? 0;
    const next = give(clean, seat, d.cards ?? [], n);
    const mine = seat === state.me && d.cards ? { dealt: d.cards } : {};
    return { ...next, stockN: d.stock_n ?? next.stockN - n, ...mine };
  },
  wild: (state, _seat, d) => ({ ...state, wildCard: d.card }),
  turn(state, seat, d) {
    const next = changeSeat(state, seat, (s) => ({ ...s, round: d.round }));
    const turn = freshTurn(state.rules.opening_min);
    return { ...next, phase: d.phase, toMove: seat, starter: state.starter ?? seat, turn };
  },
  drew(state, seat, d) {
    const next = give(state, seat, d.card ? [d.card] : [], 1);
    const piles = d.from === 'stock' ? { stockN: state.stockN - 1 } : { discard: state.discard.slice(0, -1) };
    const mustOpen = d.must_open ?? false;
    const drawn = d.card ?? null;
    const dropPoints = seat === state.me ? state.rules.drop_middle : state.dropPoints;
    return changeTurn(
      { ...next, ...piles, phase: 'play', mayTake: true, dropPoints },
      { drew: true, drawn, mustOpen, mayCancel: mustOpen },
    );
  },
  draw_cancelled(state, seat, d) {
    const next = take(state, seat, [d.card]);
    const turn = { drew: false, drawn: null, mustOpen: false, mayCancel: false, stockOnly: true };
    return changeTurn({ ...next, discard: [...state.discard, d.card], phase: 'draw' }, turn);
  },
  melded(state, seat, d) {
    const next = used(take(state, seat, d.cards), d.cards);
    const natural = d.cards.find((c) => !isJoker(c));
    const suit = d.kind === 'run' && natural ? suitOf(natural) : null;
    const { meld: id, kind, low, staged, cards } = d;
    const melds = [...next.melds, { id, kind, owner: seat ?? 0, low, suit, staged, cards }];
    return changeTurn({ ...next, melds }, { stagedSum: state.turn.stagedSum + (staged ? d.worth : 0) });
  },
  taken_back(state, seat, d) {
    const next = give(state, seat, d.cards);
    const melds = next.melds.filter((m) => m.id !== d.meld);
    return changeTurn({ ...next, melds }, { stagedSum: stagedSum(state, melds) });
  },
  opened(state, seat) {
    const next = changeSeat(state, seat, (s) => ({ ...s, opened: true }));
    const melds = next.melds.map((m) => (m.owner === seat ? { ...m, staged: false } : m));
    return changeTurn(
      { ...next, melds },
      { openingTurn: true, mustOpen: false, mayCancel: false, stagedSum: 0 },
    );
  },
  laid_off(state, seat, d) {
    return changeMeld(used(take(state, seat, [d.card]), [d.card]), d.meld, (m) =>
      d.end === 'low'
        ? { ...m, low: m.low - 1, cards: [d.card, ...m.cards] }
        : { ...m, cards: [...m.cards, d.card] },
    );
  },
  swapped(state, seat, d) {
    const next = give(take(state, seat, [d.card]), seat, [d.joker]);
    const laid = changeMeld(next, d.meld, (m) => ({ ...m, cards: replaceCard(m.cards, d.joker, d.card) }));
    const freed = [...state.turn.freed, { joker: d.joker, meld: d.meld }];
    return changeTurn(laid, { freedJokers: state.turn.freedJokers + 1, freed });
  },
  swap_undone(state, seat, d) {
    const next = give(take(state, seat, [d.joker]), seat, [d.card]);
    const laid = changeMeld(next, d.meld, (m) => ({ ...m, cards: replaceCard(m.cards, d.card, d.joker) }));
    const freed = state.turn.freed.filter((f) => f.joker !== d.joker);
    return changeTurn(laid, { freedJokers: Math.max(0, state.turn.freedJokers - 1), freed });
  },
  discarded(state, seat, d) {
    const known = state.seats.some((s) => s.seat === seat);
    const next = known ? take(state, seat, d.cards) : state;
    /* In Indian games, a joker can be taken only if it began the pile. */
    const wild = state.rules.family === 'declare' && d.cards.some((c) => isWild(wildOf(state), c));
    const after = known ? used(next, d.cards) : next;
    return { ...after, discard: [...next.discard, ...d.cards], mayTake: !known || !wild };
  },
  reshuffled(state, _seat, d) {
    return { ...state, stockN: d.stock_n, discard: state.discard.slice(-1) };
  },
  flipped(state, _seat, d) {
    return { ...state, stockN: d.stock_n, discard: [d.card], flips: state.flips + 1 };
  },
  timed_out: (state) => state,
  away: (state, seat) => changeSeat(state, seat, (s) => ({ ...s, away: true })),
  returned: (state, seat) => changeSeat(state, seat, (s) => ({ ...s, away: false })),
  left: (state, seat) => changeSeat(state, seat, (s) => ({ ...s, left: true, away: true })),
  dropped: (state, seat) => changeSeat(state, seat, (s) => ({ ...s, dropped: true })),
  declared(state, seat, d) {
    /* From now on, the card in the finish slot is on the discard pile. */
    const finish = d.finish ?? d.rest?.at(-1) ?? null;
    const rest = (d.rest ?? []).filter((c) => c !== finish);
    const declared = { seat: seat ?? 0, valid: d.valid, groups: d.groups, rest, finish };
    const out = finish === null ? [] : [finish];
    const next = { ...take(state, seat, out), discard: [...state.discard, ...out], declared };
    if (!d.valid) return changeSeat(next, seat, (s) => ({ ...s, wrong: true }));
    const inHand = (s: SeatState) => !s.dropped && !s.wrong && !s.satOut && !s.eliminated && !s.left;
    const toGroup = state.seats.filter((s) => s.seat !== seat && inHand(s)).map((s) => s.seat);
    return { ...next, phase: 'group', toMove: null, toGroup };
  },
  grouped(state, seat, d) {
    const mine = seat === state.me && d.groups ? { grouping: d.groups } : {};
    const toGroup = d.done ? state.toGroup.filter((s) => s !== seat) : state.toGroup;
    return { ...state, ...mine, toGroup };
  },
  rejoined(state, seat, d) {
    return changeSeat(state, seat, (s) => ({ ...s, eliminated: false, points: d.total }));
  },
  eliminated: (state, seat, d) =>
    changeSeat(state, seat, (s) => ({ ...s, eliminated: true, points: d.total })),
  hand_ended(state, _seat, d) {
    const result = { winner: d.winner, ending: d.ending, rummy: d.rummy, scores: [] };
    return { ...state, phase: 'hand_over', toMove: null, toGroup: [], result };
  },
  scored(state, seat, d) {
    const old = state.result ?? NO_RESULT;
    const next = changeSeat(state, seat, (s) => ({
      ...s,
      points: d.total ?? (s.points ?? 0) + d.points,
      bonus: d.bonus ?? s.bonus,
      dropped: d.dropped ?? s.dropped,
      wrong: d.wrong ?? s.wrong,
      eliminated: d.out ?? s.eliminated,
      satOut: d.sat_out ?? s.satOut,
    }));
    const result = { ...old, scores: [...old.scores, { seat: seat ?? 0, ...d }] };
    return withHistory({ ...next, result }, seat ?? 0, d.points);
  },
  session_ended(state, _seat, d) {
    const winners = d.winners ?? (d.winner === null ? [] : [d.winner]);
    const totals = d.totals ?? state.seats.map((s) => s.points ?? 0);
    return { ...state, phase: 'over', next: null, session: { winners, totals } };
  },
};

/** The table after the next event. The socket delivers each event once, in order. */
export function applyEvent(state: TableState, event: TableEvent): TableState {
  const handler = handlers[event.t] as Handler<typeof event.t> | undefined;
  const next = handler ? handler(state, event.seat ?? null, event.d) : state;
  return { ...next, v: event.v };
}
