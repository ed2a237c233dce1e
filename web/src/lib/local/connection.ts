/* The connection to a table in this browser: frames like those of a live table, pauses before bots' moves,
 * and the next hand when the player is ready. */
import { EngineError, type GameEvent, type Move } from '@rummyd/engine';
import type { Command, Nack, Reply, ServerFrame, Snapshot, WireSeat } from '@rummyd/client';
import type { ConnectionReceiver, TableConnection } from '$lib/table/connection';
import { TurnClock } from './clock';
import type { LocalSession } from './session';

/** Hooks for code that guides the player through a hand. They take precedence over the bots. */
export interface Lead {
  /** Whether the player may make this move now. */
  allows?(move: Move): boolean;
  /** The move for the bot in this seat; null: the bot chooses. */
  botMove?(seat: number): Move | null;
  /** Called after every move of any seat. */
  moved?(seat: number, move: Move, events: readonly GameEvent[]): void;
}

export interface LocalOptions {
  /** Pause of a bot before each move, in milliseconds. */
  thinkMs: number;
  /** Called after every change, with the session to save. */
  changed?(session: LocalSession): void;
  lead?: Lead;
}

/** Commands that do not concern the engine: they have no effect here, or are handled elsewhere. */
const NOT_A_MOVE = new Set<Command['t']>(['chat', 'emote', 'ping']);
/** The next hand of a session that continues without the player is dealt after this many bot pauses. */
const NEXT_HAND_THOUGHTS = 3;

function refused(id: string, code: Nack['code'], cards: Nack['cards'] = [], text = ''): Reply {
  return { ok: false, nack: { t: 'nack', id, code, cards, text } };
}

export class LocalConnection implements TableConnection {
  readonly connections = 1;
  private over = false;
  private turning = false;
  private replies = 0;
  private ownSeed = '';
  private result: Snapshot['result'] = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly clock: TurnClock | null;

  constructor(
    readonly session: LocalSession,
    private readonly ways: LocalOptions,
    private readonly end: ConnectionReceiver,
  ) {
    const { turnMs, me } = session.setting;
    this.clock = turnMs ? new TurnClock(turnMs, me, end, () => this.timeOut()) : null;
  }

  start(): void {
    void Promise.resolve().then(() => this.begin());
  }

  stop(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.clock?.stop();
  }

  resume(): void {
    if (this.over) return;
    this.snapshot();
    this.clock?.tell();
  }

  async send(command: Command): Promise<Reply> {
    const id = `local-${++this.replies}`;
    try {
      return this.obey(id, command);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const { code, cards, message } = error;
      return refused(id, code as Nack['code'], cards, message);
    }
  }

  private obey(id: string, command: Command): Reply {
    const { me } = this.session.setting;
    if (command.t === 'legal') {
      const { types, moves } = this.session.game.legal(me, command.d.hints ?? false);
      const d = { types, moves } as Extract<ServerFrame, { t: 'legal' }>['d'];
      return { ok: true, frame: { t: 'legal', id, v: this.v, d } };
    }
    if (command.t === 'seed') this.ownSeed = command.d.seed;
    else if (command.t === 'ready') {
      if (!this.session.between) return refused(id, 'not_between_hands');
      this.nextHand();
    } else if (!NOT_A_MOVE.has(command.t)) {
      const move = command as Move;
      if (this.ways.lead?.allows?.(move) === false) return refused(id, 'lost');
      this.play(me, move);
      this.goOn();
    }
    return { ok: true, frame: { t: 'ack', id, v: this.v } };
  }

  private get v(): number {
    return this.session.view().v;
  }

  /* ---- Frames sent ----------------------------------------------------------------------------- */

  private begin(): void {
    if (this.over) return;
    this.end.status('open');
    const { phase, hand_no } = this.session.view();
    if (hand_no === 0 || phase === 'waiting') {
      this.end.frame(this.waiting());
      this.deal();
    } else this.snapshot();
    this.goOn();
  }

  private seats(): WireSeat[] {
    const { names, avatars, me } = this.session.setting;
    return names.map((nick, seat) => ({
      seat,
      player_id: seat === me ? '0' : null,
      nick,
      avatar: avatars?.[seat] ?? '',
      bot: seat !== me,
      ...(seat !== me && { level: this.session.levelOf(seat) }),
      on: true,
    }));
  }

  private waiting(): ServerFrame {
    const { setting, commit } = this.session;
    const d = {
      variant: setting.variant,
      room: '',
      visibility: 'private' as const,
      commit,
      stake: 0,
      reward: 0,
    };
    return {
      t: 'waiting',
      d: { ...d, multiplier: '1.0', seats: this.seats(), bots: true, bots_n: 0, host: null, starts_in_ms: 0 },
    } as ServerFrame;
  }

  private snapshot(): void {
    const { setting, seeds } = this.session;
    const view = this.session.view();
    const names = this.seats();
    const table = { id: setting.tableId, hand_no: view.hand_no, variant: setting.variant, room: '' };
    const commit = seeds ? this.session.commitOf(seeds.server_seed) : this.session.commit;
    const d = {
      ...view,
      table: { ...table, commit, stake: 0, reward: 0, multiplier: '1.0' },
      seats: view.seats.map((seat) => ({ ...names[seat.seat], ...seat })),
      result: this.result,
    };
    this.end.frame({ t: 'snapshot', v: view.v, d } as unknown as ServerFrame);
    if (this.session.between) this.tellNext([]);
  }

  private tell(events: readonly GameEvent[]): void {
    for (const event of events) {
      this.note(event);
      this.end.frame(event);
    }
  }

  /** Records the result for snapshots after the hand. */
  private note(event: GameEvent): void {
    if (event.t === 'hand_ended') this.result = { ...event.d, winners: [], seats: [] };
    else if (event.t === 'scored') this.result?.seats.push({ seat: event.seat ?? 0, ...event.d });
    else if (event.t === 'session_ended' && this.result) this.result.winners = event.d.winners ?? [];
  }

  private tellNext(ready: number[]): void {
    const { setting, commit } = this.session;
    const hand_no = this.session.view().hand_no + 1;
    const d = { hand_no, commit, starts_in_ms: null, asked: [setting.me], ready };
    this.end.frame({ t: 'next_hand', d } as unknown as ServerFrame);
  }

  /* ---- Moves ----------------------------------------------------------------------------------- */

  private play(seat: number, move: Move): GameEvent[] {
    const before = this.session.records.length;
    const events = this.session.act(seat, move);
    this.tell(events);
    const ended = this.session.setting.once !== undefined && this.session.view().phase === 'over';
    if (ended || this.session.records.length > before) this.open();
    this.ways.lead?.moved?.(seat, move, events);
    this.ways.changed?.(this.session);
    return events;
  }

  /** Called when the hand is over. Reveals its seeds and announces the next hand. */
  private open(): void {
    const { seeds, setting } = this.session;
    if (setting.once) this.snapshot();
    if (seeds) {
      const { server_seed, client_seeds = [] } = seeds;
      const hand = { commit: this.session.commitOf(server_seed), hand_no: this.session.view().hand_no };
      const d = { ...hand, server_seed, client_seeds: [...client_seeds], table_id: setting.tableId };
      this.end.frame({ t: 'fairness', d } as ServerFrame);
    }
    this.tell(this.session.botsRejoin());
    if (!this.session.between) return;
    this.tellNext([]);
    const { eliminated, may_rejoin } = this.session.view();
    if (eliminated.includes(setting.me) && !may_rejoin) this.later(NEXT_HAND_THOUGHTS, () => this.nextHand());
  }

  /** Deals the next hand, or ends the session if all other players are permanently out of a pool. */
  private nextHand(): void {
    if (!this.session.mayDeal) {
      this.play(this.session.setting.me, { t: 'close', d: {} });
      return;
    }
    this.deal();
    this.goOn();
  }

  /** Plays the player's turn for them, as the server would. */
  private timeOut(): void {
    const { me } = this.session.setting;
    const from = this.v;
    const thrown: string[] = [];
    let drop: number | null = null;
    for (const event of this.play(me, { t: 'time_out' })) {
      if (event.seat !== me) continue;
      if (event.t === 'discarded') thrown.push(...event.d.cards);
      else if (event.t === 'dropped') drop = event.d.points;
    }
    const what = { turns: 1, time_outs: 1, melds: 0, lay_offs: 0, opening: null, thrown, drop_points: drop };
    const rest = { hands: 0, points: 0, reserve_used_ms: 0, reserve_left_ms: 0 };
    const d = { from_v: from + 1, to_v: this.v, ...what, ...rest };
    this.end.frame({ t: 'played_for_you', d } as ServerFrame);
    this.goOn();
  }

  private deal(): void {
    this.result = null;
    const first = this.session.seeds === null;
    const events = this.session.deal(this.ownSeed);
    this.ownSeed = '';
    if (!first) this.tell(events);
    this.snapshot();
    this.ways.changed?.(this.session);
  }

  private later(thoughts: number, act: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.over) act();
    }, thoughts * this.ways.thinkMs);
  }

  /** Bots move one after the other until it is the player's turn or the hand is over. */
  private goOn(): void {
    this.clock?.watch(this.session.view());
    if (this.turning || this.session.botToMove() === null) return;
    this.turning = true;
    this.later(1, () => {
      this.turning = false;
      const seat = this.session.botToMove();
      if (seat === null) return;
      this.play(seat, this.ways.lead?.botMove?.(seat) ?? this.session.botMove(seat));
      this.goOn();
    });
  }
}
