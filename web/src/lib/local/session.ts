/* A session of hands that the engine plays in this browser: one person, and bots. It knows neither time nor frames
 * (line.ts has both). What it saves plays it again to the same position, card by card. */
import { randomId } from '@rummyd/client';
import type { Engine, Game, GameEvent, Level, Move, Seeds, View } from '@rummyd/engine';

export interface LocalSetting {
  variant: string;
  /** Options by the names and values that private tables have. */
  options?: Record<string, string | number>;
  /** By seat. */
  names: readonly string[];
  /** The person's own seat. */
  me: number;
  level: Level;
  /** Any number of up to 15 digits: it is part of every deal. */
  tableId: string;
}

type Entry = { deal: Seeds } | { seat: number; move: Move };
/** All of a session: a JSON value of a few kB. */
export interface SavedSession {
  setting: LocalSetting;
  /** Of the hand that is not dealt yet. */
  next: string;
  log: Entry[];
}

const SEED_BYTES = 32;
const PLAYING = ['draw', 'play', 'group'];

export class LocalSession {
  readonly setting: LocalSetting;
  readonly game: Game;
  /** The records of the hands that are over. */
  readonly records: string[] = [];
  /** The seeds of the hand dealt last. */
  seeds: Seeds | null = null;
  private next: string;
  private readonly engine: Engine;
  private log: Entry[] = [];

  /** start: a game to go on from, instead of a deal; it is the session's then. */
  constructor(engine: Engine, setting: LocalSetting, start: Game | null = null) {
    const { variant, options, names } = setting;
    this.engine = engine;
    this.setting = setting;
    this.next = randomId(SEED_BYTES);
    this.game = start ?? engine.newGame({ variant, players: names.length, options: options ?? {} });
  }

  /** One hand from the position that a record begins with; it has no record of its own. */
  static from(engine: Engine, setting: LocalSetting, record: string): LocalSession {
    const replay = engine.record.replay(record);
    const start = replay.game.copy();
    replay.close();
    return new LocalSession(engine, setting, start);
  }

  /** Throws an EngineError where a move is none: what was saved is spoilt, or of another version of the rules. */
  static restore(engine: Engine, saved: SavedSession): LocalSession {
    const session = new LocalSession(engine, saved.setting);
    try {
      for (const entry of saved.log) {
        if ('deal' in entry) session.dealFrom(entry.deal);
        else session.act(entry.seat, entry.move);
      }
    } catch (error) {
      session.close();
      throw error;
    }
    session.next = saved.next;
    return session;
  }

  save(): SavedSession {
    return { setting: this.setting, next: this.next, log: this.log };
  }

  /** As the person sees it. */
  view(): View {
    return this.game.view(this.setting.me);
  }

  /** The promise of the hand that is dealt next. */
  get commit(): string {
    return this.commitOf(this.next);
  }

  commitOf(serverSeed: string): string {
    return this.engine.commit(serverSeed);
  }

  /** A hand is over and the session is not. */
  get between(): boolean {
    return this.game.view('spectator').phase === 'hand_over';
  }

  /** Another hand can be dealt. Where it cannot between two hands, the one who is left waits for others to join again. */
  get mayDeal(): boolean {
    return this.game.view('spectator').may_deal;
  }

  /** ownSeed: the person's share of the randomness. */
  deal(ownSeed: string): GameEvent[] {
    const { names, me, tableId } = this.setting;
    const client_seeds = names.map((_, seat) => (seat === me ? ownSeed : ''));
    return this.dealFrom({ server_seed: this.next, table_id: tableId, client_seeds });
  }

  /** An EngineError with the code of the rule, and no change, where the move is not allowed. */
  act(seat: number, move: Move): GameEvent[] {
    const events = this.game.apply(seat, move, this.setting.me);
    this.log.push({ seat, move });
    if (this.seeds && events.some((event) => event.t === 'hand_ended')) this.records.push(this.record());
    return events;
  }

  /** The bot that is to move now; null: the person is, or nobody. */
  botToMove(): number | null {
    const { phase, to_move, to_group } = this.game.view('spectator');
    if (!PLAYING.includes(phase)) return null;
    const { me } = this.setting;
    if (phase === 'group') return to_group.find((seat) => seat !== me) ?? null;
    return to_move === me ? null : to_move;
  }

  botMove(seat: number): Move {
    return this.game.botMove(seat, this.setting.level);
  }

  /** Between two hands of a pool: those who are out and join again. */
  botsRejoin(): GameEvent[] {
    const { names, me, level } = this.setting;
    const bots = names.map((_, seat) => seat).filter((seat) => seat !== me);
    return bots
      .filter((seat) => this.game.view(seat).may_rejoin && this.game.botRejoins(seat, level))
      .flatMap((seat) => this.act(seat, { t: 'rejoin', d: {} }));
  }

  close(): void {
    this.game.close();
  }

  private dealFrom(seeds: Seeds): GameEvent[] {
    const events = this.game.deal(seeds, this.setting.me);
    this.seeds = seeds;
    this.next = randomId(SEED_BYTES);
    this.log.push({ deal: seeds });
    return events;
  }

  private record(): string {
    const { names, me, level } = this.setting;
    return this.game.record(names.map((name, seat) => (seat === me ? { name } : { name, level })));
  }
}
