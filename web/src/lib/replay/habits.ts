/* What a player's habits cost, in points per hand, from the player's own records: docs/analysis.md has the
 * definitions. Pure. The engine plays the hands to their end. */
import type { Card, Engine, Game, Move, RecordHand, RecordStep, Replay, View } from '@rummyd/engine';
import { DRAWS, isPlayed, turnsOf } from './analysis';
import { Imagined } from './imagined';
import { playOut } from './par';
import { kindOf, DeadwoodCounter } from './deadwood';

/** Order in which the habits are checked: a turn belongs to the first habit that matches. `other` is any
 * mistake without a name. */
export const HABITS = ['finish', 'opening', 'feeding', 'high', 'pile', 'other'] as const;
export type Habit = (typeof HABITS)[number];
export type HandCosts = Partial<Record<Habit, number>>;

/** Number of sampled deals in which a hand is played to its end, after the player's choice and after the
 * bot's. */
const RUNS = 16;
const MOVES_MAX = 60;
/** A card with at least this many points is high. */
const HIGH_POINTS = 10;
/** Distance within which cards of one suit help each other. */
const NEAR = 2;

/* Not imported from $lib/cards, which imports the page's texts, because this runs in a worker. */
const rankOf = (card: Card) => 'A23456789TJQK'.indexOf(card.charAt(0));
const suitOf = (card: Card) => (card.startsWith('X') ? null : card.charAt(1));

/** A game that continues from a moment, and the points of the seat once the hand is over. */
class Line {
  points: number | null = null;

  constructor(
    readonly game: Game,
    private readonly seat: number,
  ) {}

  apply(by: number, move: Move): void {
    const score = this.game.apply(by, move).find((e) => e.t === 'scored' && e.seat === this.seat);
    if (score?.t === 'scored') this.points = score.d.points;
  }

  /** The seat's points if bots play to the end; null if they cannot. */
  ending(run: number): number | null {
    return this.points ?? playOut(this.game, this.seat, run);
  }
}

/** The bot's moves until the seat's turn is over. */
function finishTurn(line: Line, seat: number): Move[] {
  const moves: Move[] = [];
  while (moves.length < MOVES_MAX && line.points === null && line.game.view(seat).to_move === seat) {
    const move = line.game.botMove(seat, 'strong');
    line.apply(seat, move);
    moves.push(move);
  }
  return moves;
}

const thrownIn = (moves: readonly Move[]): Card | null => {
  const last = moves.filter((move) => move.t === 'discard').at(-1);
  return last?.t === 'discard' ? (last.d.cards.at(-1) ?? null) : null;
};

/** Whether a card helps the next player, judging by public information: it fits a meld on the table and they
 * have opened, or it is near a card that they took from the discard pile. */
export function feeds(view: Pick<View, 'melds' | 'seats'>, next: number, taken: readonly Card[], card: Card) {
  if (suitOf(card) === null) return false;
  const rank = rankOf(card);
  const fits = view.melds.some(({ kind, low, suit, cards }) =>
    kind === 'set'
      ? low === rank
      : suit === suitOf(card) && (rank === low - 1 || rank === low + cards.length),
  );
  if (fits && view.seats[next]?.opened === true) return true;
  return taken.some((one) => {
    if (suitOf(one) === null) return false;
    const apart = Math.abs(rankOf(one) - rank);
    return apart === 0 || (suitOf(one) === suitOf(card) && apart <= NEAR);
  });
}

class HandJudge {
  private readonly costs: HandCosts = {};
  /** Cards that the next player has taken from the discard pile in this hand. */
  private readonly taken: Card[] = [];
  private readonly next: number;
  private readonly table: Imagined;

  constructor(
    private readonly engine: Engine,
    private readonly deadwood: DeadwoodCounter,
    private readonly hand: RecordHand,
    private readonly seat: number,
    private readonly runs: number,
  ) {
    this.next = (seat + 1) % hand.seats.length;
    this.table = new Imagined(hand, seat, deadwood.pack);
  }

  judge(replay: Replay): HandCosts {
    for (const steps of turnsOf(this.hand.steps)) {
      const own = steps[0]?.seat === this.seat && replay.game.view(this.seat).to_move === this.seat;
      if (own && isPlayed(steps)) this.turn(replay.game, steps);
      for (const step of steps) {
        this.table.saw(step);
        const { seat, move, card } = step;
        if (seat === this.next && card && move.t === 'draw' && move.d.from === 'discard')
          this.taken.push(card);
      }
      replay.seek(replay.at + steps.length);
    }
    return this.costs;
  }

  /** draws: the card of the stock that the player drew; null: not known yet. */
  private add(
    habit: Habit,
    at: Game,
    draws: Card | null,
    mine: readonly Move[],
    bots: readonly Move[],
  ): void {
    const view = at.view(this.seat);
    if (draws !== null && view.discard.includes(draws)) return; // this draw turned the pile into the stock
    let sum = 0;
    let ended = 0;
    for (let run = 0; run < this.runs; run++) {
      const replay = this.engine.record.replay(this.table.deal(view, draws, run), 0);
      const [own, best] = [mine, bots].map((moves) => {
        const line = new Line(replay.game.copy(), this.seat);
        for (const move of moves) line.apply(this.seat, move);
        const points = line.ending(run);
        line.game.close();
        return points;
      });
      replay.close();
      if (typeof own !== 'number' || typeof best !== 'number') continue;
      sum += own - best;
      ended++;
    }
    if (ended > 0) this.costs[habit] = (this.costs[habit] ?? 0) + sum / ended;
  }

  private turn(game: Game, steps: readonly RecordStep[]): void {
    if (game.view(this.seat).phase !== 'draw') return;
    const first = steps.findIndex(({ move }) => !DRAWS.has(move.t));
    const draws = steps.slice(0, first < 0 ? steps.length : first);
    const drawn = new Line(game.copy(), this.seat);
    for (const { seat, move } of draws) drawn.apply(seat, move);
    this.pile(game, steps);
    if (drawn.points === null) this.rest(game, drawn, draws, steps.slice(draws.length));
    drawn.game.close();
  }

  /** The choice of pile, before anyone sees the card of the stock. Leaving a pile that would have allowed
   * opening, or ended the hand, is a different habit. */
  private pile(game: Game, steps: readonly RecordStep[]): void {
    const own = steps.map(({ move }) => move);
    const draw = own.find((move) => move.t === 'draw');
    const bot = game.botMove(this.seat, 'strong');
    if (draw?.t !== 'draw' || bot.t !== 'draw' || bot.d.from === draw.d.from) return;
    const mine = new Line(game.copy(), this.seat);
    const bots = new Line(game.copy(), this.seat);
    for (const move of own) mine.apply(this.seat, move);
    const missed = this.missed(mine, bots, own, finishTurn(bots, this.seat));
    mine.game.close();
    bots.game.close();
    this.add(missed ?? 'pile', game, null, [draw], [bot]);
  }

  /** Melds and discard after the draw. */
  private rest(game: Game, drawn: Line, draws: readonly RecordStep[], steps: readonly RecordStep[]): void {
    if (steps.length === 0) return;
    const mine = new Line(drawn.game.copy(), this.seat);
    const bots = new Line(drawn.game.copy(), this.seat);
    const own = steps.map(({ move }) => move);
    for (const move of own) mine.apply(this.seat, move);
    const bot = finishTurn(bots, this.seat);
    if (mine.game.hash() !== bots.game.hash()) {
      const habit = this.habitOf(drawn.game, mine, bots, own, bot);
      const before = draws.map(({ move }) => move);
      const stock = draws.find(({ move }) => move.t === 'draw' && move.d.from === 'stock')?.card ?? null;
      if (habit) this.add(habit, game, stock, [...before, ...own], [...before, ...bot]);
    }
    mine.game.close();
    bots.game.close();
  }

  /** What the bot has achieved after the whole turn and the player has not. */
  private missed(mine: Line, bots: Line, own: readonly Move[], bot: readonly Move[]): Habit | null {
    const { seat, deadwood } = this;
    const ended = (line: Line, moves: readonly Move[]) =>
      line.points !== null || moves.some(({ t }) => t === 'declare');
    if (ended(bots, bot) && !ended(mine, own)) return 'finish';
    const opened = ({ game }: Line) => game.view(seat).seats[seat]?.opened ?? false;
    return !deadwood.declares && opened(bots) && !opened(mine) ? 'opening' : null;
  }

  /** null: there is no relevant difference between the two turns. */
  private habitOf(
    before: Game,
    mine: Line,
    bots: Line,
    own: readonly Move[],
    bot: readonly Move[],
  ): Habit | null {
    const { seat, next, taken, deadwood } = this;
    const missed = this.missed(mine, bots, own, bot);
    if (missed) return missed;
    const [card, better] = [thrownIn(own), thrownIn(bot)];
    if (card === null || better === null) return 'other';
    if (kindOf(card) === kindOf(better)) return own.length === bot.length ? null : 'other';
    const view = before.view(seat);
    if (feeds(view, next, taken, card) && !feeds(view, next, taken, better)) return 'feeding';
    const [points, left] = [deadwood.dead([card]), deadwood.dead([better])];
    return left >= HIGH_POINTS && points < left ? 'high' : 'other';
  }
}

/** Hands in which a seat was out before the end are not sampled: a position for them needs more data than is
 * available here. */
const isWhole = ({ steps }: RecordHand) =>
  !steps.some(({ move }) => ['drop', 'leave', 'flip'].includes(move.t));

/** The cost of habits in each hand that the seat played to its end. After each hand, it yields its progress
 * from 0 to 1. */
export function* habitsOf(
  engine: Engine,
  text: string,
  seat: number,
  runs = RUNS,
): Generator<number, HandCosts[]> {
  const hands = engine.record.parse(text);
  const costs: HandCosts[] = [];
  for (const [number, hand] of hands.entries()) {
    const played = hand.result?.scores.some((score) => score.seat === seat);
    const all = hand.seats.every(({ cards }) => cards.length > 0);
    if (played && all && !hand.position && isWhole(hand)) {
      const replay = engine.record.replay(text, number);
      const deadwood = new DeadwoodCounter(engine, hand, replay.game.view('everybody').wild?.card ?? null);
      try {
        costs.push(new HandJudge(engine, deadwood, hand, seat, runs).judge(replay));
      } finally {
        replay.close();
      }
    }
    yield (number + 1) / hands.length;
  }
  return costs;
}

/* ---- Many games ------------------------------------------------------------------------------------ */

/** For one game: number of hands, and for each habit the sum of its costs and of their squares. */
export interface GameCosts {
  hands: number;
  sums: Partial<Record<Habit, [sum: number, squares: number]>>;
}

export function sumOf(hands: readonly HandCosts[]): GameCosts {
  const sums: GameCosts['sums'] = {};
  for (const hand of hands)
    for (const habit of HABITS) {
      const cost = hand[habit];
      if (cost === undefined) continue;
      const [sum, squares] = sums[habit] ?? [0, 0];
      sums[habit] = [sum + cost, squares + cost * cost];
    }
  return { hands: hands.length, sums };
}

export interface Costly {
  habit: Habit;
  /** Points per hand, and their standard error. */
  cost: number;
  error: number;
}

/** Cost of each habit per hand, highest first; only costs that exceed their standard error. */
export function costliest(games: readonly GameCosts[]): Costly[] {
  const hands = games.reduce((n, game) => n + game.hands, 0);
  if (hands < 2) return [];
  const all = HABITS.map((habit) => {
    const of = (i: 0 | 1) => games.reduce((sum, { sums }) => sum + (sums[habit]?.[i] ?? 0), 0);
    const cost = of(0) / hands;
    const spread = Math.max(0, of(1) - hands * cost * cost) / (hands - 1);
    return { habit, cost, error: Math.sqrt(spread / hands) };
  });
  return all
    .filter(({ habit, cost, error }) => habit !== 'other' && cost > error)
    .sort((a, b) => b.cost - a.cost);
}
