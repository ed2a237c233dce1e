/* A session of hands played by the engine in this browser: one human player, and bots. It has neither a
 * clock nor frames (connection.ts has both). Replaying its saved form leads to the same position, card by
 * card. */
import { randomId } from '@rummyd/client';
import type { Engine, Game, GameEvent, Level, Move, Person, Seeds, View } from '@rummyd/engine';

export interface LocalSetting {
  variant: string;
  /** Options with the names and values of private tables. */
  options?: Record<string, string | number>;
  /** By seat. */
  names: readonly string[];
  /** The player's own seat. */
  me: number;
  level: Level;
  /** By seat, if bots differ in strength. */
  levels?: readonly Level[];
  /** By seat; omitted: derived from the name. */
  avatars?: readonly string[];
  /** For a single hand that was dealt elsewhere: the commitment of its seed. The session ends with this
   * hand. */
  once?: { commit: string };
  /** Any number of up to 15 digits. It is an input of every deal. */
  tableId: string;
  /** Time for each of the player's turns, in milliseconds; omitted: no clock. */
  turnMs?: number;
  /** Whether this is the game at the end of the lessons. */
  learned?: boolean;
}

export type Entry = { deal: Seeds } | { seat: number; move: Move };
/** A whole session: a JSON value of a few kB. */
export interface SavedSession {
  setting: LocalSetting;
  /** The server seed of the next hand, which has not been dealt yet. */
  next: string;
  log: Entry[];
}

const SEED_BYTES = 32;
const PLAYING = ['draw', 'play', 'group'];

export class LocalSession {
  readonly setting: LocalSetting;
  readonly game: Game;
  /** The records of finished hands. */
  readonly records: string[] = [];
  /** The seeds of the hand dealt last. */
  seeds: Seeds | null = null;
  private next: string;
  private readonly engine: Engine;
  private log: Entry[] = [];

  /** start: a game to resume instead of a deal; the session then owns it. */
  constructor(engine: Engine, setting: LocalSetting, start: Game | null = null) {
    const { variant, options, names } = setting;
    this.engine = engine;
    this.setting = setting;
    this.next = randomId(SEED_BYTES);
    this.game = start ?? engine.newGame({ variant, players: names.length, options: options ?? {} });
  }

  /** A single hand from the position with which a record begins. The hand itself is not recorded. */
  static from(engine: Engine, setting: LocalSetting, record: string): LocalSession {
    const replay = engine.record.replay(record);
    const start = replay.game.copy();
    replay.close();
    return new LocalSession(engine, setting, start);
  }

  /** Throws an EngineError for an invalid move, if the saved data is corrupt or from another version of the
   * rules. */
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

  /** As the player sees it. */
  view(): View {
    const view = this.game.view(this.setting.me);
    return this.setting.once && view.phase === 'hand_over' ? { ...view, phase: 'over' } : view;
  }

  /** The commitment of the next hand. */
  get commit(): string {
    return this.setting.once?.commit ?? this.commitOf(this.next);
  }

  commitOf(serverSeed: string): string {
    return this.engine.commit(serverSeed);
  }

  /** Whether the hand is over but the session is not. */
  get between(): boolean {
    return !this.setting.once && this.game.view('spectator').phase === 'hand_over';
  }

  /** Whether another hand can be dealt. If not, the remaining player is waiting between two hands for
   * others to rejoin. */
  get mayDeal(): boolean {
    return this.game.view('spectator').may_deal;
  }

  /** ownSeed: the player's client seed. */
  deal(ownSeed: string): GameEvent[] {
    const { names, me, tableId } = this.setting;
    const client_seeds = names.map((_, seat) => (seat === me ? ownSeed : ''));
    return this.dealFrom({ server_seed: this.next, table_id: tableId, client_seeds });
  }

  /** If the move is illegal, throws an EngineError with the code of the rule and changes nothing. */
  act(seat: number, move: Move): GameEvent[] {
    const events = this.game.apply(seat, move, this.setting.me);
    this.log.push({ seat, move });
    if (this.seeds && events.some((event) => event.t === 'hand_ended')) this.records.push(this.record());
    return events;
  }

  /** The seat for which a bot moves now, which may be an absent player's; null if it is the player's turn
   * or no one's. */
  botToMove(): number | null {
    const { phase, to_move, to_group, seats } = this.game.view('spectator');
    if (!PLAYING.includes(phase)) return null;
    const { me } = this.setting;
    const plays = (seat: number) => seat !== me || seats[seat]?.away === true;
    if (phase === 'group') return to_group.find(plays) ?? null;
    return to_move !== null && plays(to_move) ? to_move : null;
  }

  botMove(seat: number): Move {
    return this.game.botMove(seat, this.levelOf(seat));
  }

  levelOf(seat: number): Level {
    return this.setting.levels?.[seat] ?? this.setting.level;
  }

  /** Lets bots that are out of a pool rejoin between two hands. */
  botsRejoin(): GameEvent[] {
    const { names, me } = this.setting;
    const bots = names.map((_, seat) => seat).filter((seat) => seat !== me);
    return bots
      .filter((seat) => this.game.view(seat).may_rejoin && this.game.botRejoins(seat, this.levelOf(seat)))
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

  /** Names of the seats, for a record. */
  get people(): Person[] {
    const { names, me } = this.setting;
    return names.map((name, seat) => (seat === me ? { name } : { name, level: this.levelOf(seat) }));
  }

  private record(): string {
    return this.game.record(this.people);
  }
}
