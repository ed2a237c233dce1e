/* Whole sessions of every variant at a table in this browser: with only the frames, a client can play from
 * the first card to the end. */
import { load, type Engine, type Move } from '@rummyd/engine';
import { isEvent, type Command, type Reply, type ServerFrame, type TableEvent } from '@rummyd/client';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyEvent } from '$lib/table/apply';
import { fromSnapshot, isMyGrouping, isMyTurn, type TableState } from '$lib/table/state';
import { LocalConnection, type LocalOptions } from './connection';
import { LocalSession, type LocalSetting, type SavedSession } from './session';

let engine: Engine;
beforeAll(async () => {
  engine = await load();
});
beforeEach(() => {
  vi.useFakeTimers();
});

const settingOf = (variant: string, players: number): LocalSetting => ({
  variant,
  names: ['You', 'Quinn', 'Rosa', 'Sol', 'Tess', 'Uma'].slice(0, players),
  me: 0,
  level: 'medium',
  tableId: '917',
});

/** A client that uses only frames. */
class Client {
  state: TableState | null = null;
  next = 0;
  readonly frames: ServerFrame[] = [];
  readonly line: LocalConnection;

  constructor(
    readonly session: LocalSession,
    ways: Partial<LocalOptions> = {},
  ) {
    this.line = new LocalConnection(
      session,
      { thinkMs: 1, ...ways },
      { frame: (frame) => this.frame(frame), status: () => undefined },
    );
    this.line.start();
  }

  private frame(frame: ServerFrame): void {
    this.frames.push(frame);
    if (isEvent(frame)) this.event(frame);
    else if (frame.t === 'snapshot') {
      const told = fromSnapshot(frame.v, frame.d);
      if (this.state && this.state.v === told.v) {
        expect([...this.state.hand].sort(), 'the hand').toEqual([...told.hand].sort());
        expect(this.state.seats.map((s) => s.cardsN)).toEqual(told.seats.map((s) => s.cardsN));
      }
      this.state = told;
    } else if (frame.t === 'next_hand') this.next = frame.d.hand_no;
  }

  private event(event: TableEvent): void {
    if (!this.state) throw new Error(`${event.t} before a snapshot`);
    expect(event.v).toBe(this.state.v + 1);
    this.state = applyEvent(this.state, event);
  }

  get mine(): boolean {
    return this.state !== null && (isMyTurn(this.state) || isMyGrouping(this.state));
  }

  send(command: Command): Promise<Reply> {
    return this.line.send(command);
  }

  /** Plays like the engine's bot until the session is over or `stop` returns true. */
  async play(stop: () => boolean = () => false): Promise<void> {
    for (let step = 0; step < 20_000 && !stop(); step++) {
      await vi.advanceTimersByTimeAsync(1);
      const state = this.state;
      if (state?.phase === 'over' || stop()) return;
      let reply: Reply | null = null;
      if (this.mine) reply = await this.send(this.session.game.botMove(0, 'medium') as Command);
      else if (state?.phase === 'hand_over' && this.next > state.handNo)
        reply = await this.send({ t: 'ready', d: {} });
      if (reply) expect(reply).toMatchObject({ ok: true });
    }
    if (!stop()) throw new Error('the session has no end');
  }
}

describe('a table in this browser', () => {
  it('plays whole sessions of every variant, told by frames alone', async () => {
    for (const [number, { variant }] of engine.variants.entries()) {
      const client = new Client(new LocalSession(engine, settingOf(variant, 2 + (number % 2))));
      await client.play();
      expect(client.state?.session?.winners.length, variant).toBeGreaterThan(0);
      const { records } = client.session;
      const opened = client.frames.flatMap((f) => (f.t === 'fairness' ? [f.d] : []));
      expect(opened).toHaveLength(records.length);
      for (const d of opened) expect(engine.commit(d.server_seed)).toBe(d.commit);
      const verdicts = engine.verify(records.join('\n'));
      expect(new Set(verdicts.map(({ verdict }) => verdict)), variant).toEqual(new Set(['ok']));
      client.line.stop();
      client.session.close();
    }
  }, 60_000);

  it('continues after a reload from the same position, wherever it was', async () => {
    for (const variant of ['rummy51', 'pool101', 'points']) {
      let saved = '';
      const ways = { changed: (session: LocalSession) => (saved = JSON.stringify(session.save())) };
      let client = new Client(new LocalSession(engine, settingOf(variant, 2)), ways);
      for (let reload = 0; reload < 12 && client.state?.phase !== 'over'; reload++) {
        const until = client.frames.length + 5 + 7 * reload;
        await client.play(() => client.frames.length > until && saved !== '');
        client.line.stop();
        const { session } = client;
        const again = LocalSession.restore(engine, JSON.parse(saved) as SavedSession);
        expect(again.game.hash(), variant).toBe(session.game.hash());
        expect(again.view()).toEqual(session.view());
        expect(again.commit, 'the promise of the next hand').toBe(session.commit);
        session.close();
        client = new Client(again, ways);
      }
      client.line.stop();
      client.session.close();
    }
  });

  it('refuses by the names of the rules, and changes nothing', async () => {
    const client = new Client(new LocalSession(engine, settingOf('rummy51', 2)));
    await client.play(() => client.mine);
    const before = client.session.game.hash();
    const nack = (reply: Reply) => (reply.ok ? 'ok' : reply.nack.code);
    expect(nack(await client.send({ t: 'ready', d: {} }))).toBe('not_between_hands');
    const foreign = client.session.game.view('everybody').hands?.[1]?.[0] ?? '';
    const reply = await client.send({ t: 'discard', d: { cards: [foreign] } } as Command);
    expect(['card_not_held', 'must_draw_first']).toContain(nack(reply));
    expect(client.session.game.hash()).toBe(before);
    client.line.stop();
    client.session.close();
  });

  it('lets a lead forbid moves, and move the bots', async () => {
    const moved: [number, Move][] = [];
    let open = false;
    const lead = {
      allows: () => open,
      botMove: (seat: number): Move | null => client.session.game.botMove(seat, 'easy'),
      moved: (seat: number, move: Move) => moved.push([seat, move]),
    };
    const client = new Client(new LocalSession(engine, settingOf('rummy51', 2)), { lead });
    await client.play(() => client.mine);
    const before = moved.length;
    const move = client.session.game.botMove(0, 'medium') as Command;
    expect(await client.send(move)).toMatchObject({ ok: false });
    expect(moved).toHaveLength(before);
    open = true;
    expect(await client.send(move)).toMatchObject({ ok: true });
    expect(moved.at(-1)).toEqual([0, move]);
    client.line.stop();
    client.session.close();
  });

  it('is silent after its end', async () => {
    const client = new Client(new LocalSession(engine, settingOf('rummy51', 4)));
    client.line.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(client.frames).toEqual([]);
    client.session.close();
  });
});
