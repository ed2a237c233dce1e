/* The strongest bot's judgment of a hand, turn by turn, and how much of it was luck: docs/analysis.md has the
 * definitions. The bot sees what the seat saw, never more. Pure. The engine plays and groups; this module
 * compares. */
import type { Card, Engine, Game, Move, RecordStep } from '@rummyd/engine';
import { kindOf, DeadwoodCounter } from './deadwood';

export type Missed = 'declaration' | 'going_out' | 'opening';
/** One turn of a seat. Weights are ungrouped points. */
export interface TurnWeighed {
  turn: number;
  seat: number;
  before: number;
  after: number;
  /** Weight if the bot had played the turn. */
  best: number;
  /** The bot's turn, move by move. */
  bot: Move[];
  /** The difference in worth if the bot would have drawn from the other pile; otherwise 0. */
  drawLoss: number;
  /** How much worse the turn was than the bot's; 0 if it was no worse. */
  loss: number;
  /** Luck of the card from the stock, compared with the mean of all unseen cards; 0 without one. */
  luck: number;
  missed: Missed | null;
  /** Cost of the missed opening. */
  opening: number;
}
export interface SeatSum {
  seat: number;
  luck: number;
  loss: number;
  /** Weight after each turn of the seat; the first is the deal. */
  weights: { turn: number; weight: number }[];
}
export interface Analysis {
  turns: TurnWeighed[];
  seats: SeatSum[];
}

/** No turn has this many moves. */
const MOVES_MAX = 60;
export const DRAWS = new Set<string>(['draw', 'flip', 'cancel_draw']);

const handOf = (game: Game, seat: number): Card[] => game.view(seat).hand;
const inTurn = (game: Game, seat: number) => game.view(seat).to_move === seat;

/** Lets the bot play on until the turn has passed. */
function playOn(game: Game, seat: number): Move[] {
  const moves: Move[] = [];
  while (moves.length < MOVES_MAX && inTurn(game, seat)) {
    const move = game.botMove(seat, 'strong');
    game.apply(seat, move);
    moves.push(move);
  }
  return moves;
}

/** The cards that a seat has not seen, which include the next card of the stock. */
function unseenOf(deadwood: DeadwoodCounter, game: Game, seat: number): Card[] {
  const view = game.view(seat);
  const seen = new Set([
    ...view.hand,
    ...view.discard,
    ...view.melds.flatMap((m) => m.cards),
    view.wild?.card ?? '',
  ]);
  return deadwood.pack.filter((card) => !seen.has(card));
}

/** Mean deadwood with each unseen card added to the hand. */
function meanWeight(deadwood: DeadwoodCounter, hand: readonly Card[], unseen: readonly Card[]): number {
  const counts = new Map<string, { card: Card; n: number }>();
  for (const card of unseen) {
    const kind = counts.get(kindOf(card)) ?? { card, n: 0 };
    kind.n++;
    counts.set(kindOf(card), kind);
  }
  let sum = 0;
  for (const { card, n } of counts.values()) sum += n * deadwood.deadAfterThrow([...hand, card]);
  return unseen.length > 0 ? sum / unseen.length : deadwood.dead(hand);
}

class Turn {
  private readonly before: Game;
  private readonly hand: Card[];

  constructor(
    private readonly deadwood: DeadwoodCounter,
    game: Game,
    private readonly steps: readonly RecordStep[],
    private readonly seat: number,
  ) {
    this.before = game.copy();
    this.hand = handOf(game, seat);
  }

  close(): void {
    this.before.close();
  }

  private from(move: Move): 'stock' | 'discard' | null {
    return move.t === 'draw' ? move.d.from : null;
  }

  /** How much more the bot's choice of pile was worth than the player's, before the card of the stock is
   * known. */
  private drawLoss(mean: number): number {
    const mine = this.steps.map((s) => this.from(s.move)).find((from) => from !== null) ?? null;
    if (mine === null || this.before.view(this.seat).phase !== 'draw') return 0;
    const bots = this.from(this.before.botMove(this.seat, 'strong'));
    const top = this.before.view(this.seat).discard.at(-1);
    if (bots === null || bots === mine || top === undefined) return 0;
    const taken = this.deadwood.deadAfterThrow([...this.hand, top]);
    return Math.max(0, bots === 'discard' ? mean - taken : taken - mean);
  }

  /** game: the game after the whole turn. */
  weigh(game: Game): TurnWeighed {
    const { deadwood, seat, steps } = this;
    const drawn = this.before.copy();
    const first = steps.findIndex((s) => !DRAWS.has(s.move.t));
    for (const step of steps.slice(0, first < 0 ? steps.length : first)) drawn.apply(step.seat, step.move);
    const stock = steps.find((s) => this.from(s.move) === 'stock');
    const draws = this.before.view(seat).phase === 'draw';
    const mean = draws ? meanWeight(deadwood, this.hand, unseenOf(deadwood, this.before, seat)) : 0;
    const luck = stock ? mean - deadwood.deadAfterThrow(handOf(drawn, seat)) : 0;
    const opening = !deadwood.declares && drawn.view(seat).phase === 'play' ? drawn.opening(seat) : null;
    const bot = playOn(drawn, seat);
    const best = deadwood.dead(handOf(drawn, seat));
    const after = deadwood.dead(handOf(game, seat));
    const drawLoss = this.drawLoss(mean);
    const missed = this.missed(game, drawn, bot, opening?.opens === true);
    drawn.close();
    const worse = Math.max(0, after - best);
    return {
      turn: steps[0]?.turn ?? 0,
      seat,
      before: deadwood.dead(this.hand),
      after,
      best,
      bot,
      drawLoss,
      loss: drawLoss + worse,
      luck,
      missed,
      opening: missed === 'opening' ? (opening?.worth ?? 0) : 0,
    };
  }

  private missed(game: Game, other: Game, bot: readonly Move[], opens: boolean): Missed | null {
    const { seat } = this;
    const opened = (of: Game) => of.view(seat).seats[seat]?.opened ?? false;
    if (bot.some((m) => m.t === 'declare') && !this.steps.some((s) => s.move.t === 'declare'))
      return 'declaration';
    if (other.view(seat).winner === seat && game.view(seat).winner !== seat) return 'going_out';
    return opens && opened(other) && !opened(game) ? 'opening' : null;
  }
}

/** The steps of a hand, grouped by turn. */
export function turnsOf(steps: readonly RecordStep[]): RecordStep[][] {
  const turns: RecordStep[][] = [];
  for (const step of steps) {
    const turn = turns.at(-1);
    if (turn && turn[0]?.turn === step.turn) turn.push(step);
    else turns.push([step]);
  }
  return turns;
}

/** Whether the player decided the whole turn. Excludes timeouts, and grouping after a declaration. */
export function isPlayed(turn: readonly RecordStep[]): boolean {
  return turn.every(
    (s) => s.seat === turn[0]?.seat && !['time_out', 'group', 'leave', 'return', 'close'].includes(s.move.t),
  );
}

/** Analyzes a hand of a record (numbered from 0) one turn at a time. After each turn, it yields its
 * progress from 0 to 1. */
export function* analyse(engine: Engine, text: string, number: number): Generator<number, Analysis> {
  const replay = engine.record.replay(text, number);
  const { hand, players } = replay;
  const deadwood = new DeadwoodCounter(engine, hand, replay.game.view('everybody').wild?.card ?? null);
  const weight = (seat: number) => deadwood.dead(handOf(replay.game, seat));
  const seats: SeatSum[] = Array.from({ length: players }, (_, seat) => ({
    seat,
    luck: 0,
    loss: 0,
    weights: [{ turn: 0, weight: weight(seat) }],
  }));
  const turns: TurnWeighed[] = [];
  try {
    for (const steps of turnsOf(hand.steps)) {
      const seat = steps[0]?.seat ?? 0;
      const turn =
        isPlayed(steps) && inTurn(replay.game, seat) ? new Turn(deadwood, replay.game, steps, seat) : null;
      replay.seek(replay.at + steps.length);
      const weighed = turn?.weigh(replay.game);
      turn?.close();
      const sum = seats[seat];
      if (weighed) turns.push(weighed);
      if (weighed && sum) {
        sum.luck += weighed.luck;
        sum.loss += weighed.loss;
      }
      sum?.weights.push({ turn: steps[0]?.turn ?? 0, weight: weight(seat) });
      yield replay.at / Math.max(1, hand.steps.length);
    }
  } finally {
    replay.close();
  }
  return { turns, seats };
}

const GRAVITY: Readonly<Record<Missed, number>> = { declaration: 3, going_out: 2, opening: 1 };

/** The most important turns, up to this many: those of the player's seat first, then missed chances, then the
 * costliest. own: null for viewers who did not play. */
export function gravest(turns: readonly TurnWeighed[], most: number, own: number | null): TurnWeighed[] {
  const theirs = (t: TurnWeighed) => Number(t.seat !== own);
  const rank = (t: TurnWeighed) => (t.missed ? GRAVITY[t.missed] : 0);
  const grave = turns.filter((t) => t.missed !== null || t.loss >= 1);
  return grave
    .sort((a, b) => theirs(a) - theirs(b) || rank(b) - rank(a) || b.loss - a.loss || a.turn - b.turn)
    .slice(0, most);
}
