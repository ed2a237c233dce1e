/* State of a replay: hand, moment, point of view, and automatic playback. */
import { say } from '$lib/messages/messages';
import { refusalSaid } from '$lib/table/text';
import { TableGame } from '$lib/table/game.svelte';
import { EngineError, type Engine } from '@rummyd/engine';
import { tick } from 'svelte';
import type { Spot } from './address';
import { momentOf, storyOf, turnsOf, type Moment, type Person, type Story } from './moments';
import type { ReadRecord } from './reader';

export const SPEEDS = [0.5, 1, 2, 4] as const;
const STEP_MS = 1300;

export class Viewer {
  /** Input of the board: a table that does not exist on a server. */
  readonly game = new TableGame('', true);
  hand = $state(0);
  at = $state(0);
  /** The only open hand; null: all are open. */
  only = $state<number | null>(null);
  playing = $state(false);
  speed = $state<number>(1);
  problem = $state('');
  story = $state.raw<Story | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly engine: Engine,
    readonly record: ReadRecord,
    private readonly people: readonly Person[],
    spot: Spot,
  ) {
    this.game.connection = 'open';
    this.only = spot.seat !== null && spot.seat < this.players(0) ? spot.seat : null;
    const hand = record.hands.findIndex((h) => h.hand_no === spot.hand);
    this.hand = Math.max(0, hand);
    this.load();
    this.show(momentOf(this.moments, spot.turn, spot.move));
  }

  get moments(): readonly Moment[] {
    return this.story?.moments ?? [];
  }
  get moment(): Moment | null {
    return this.moments[this.at] ?? null;
  }
  get turns(): Moment[][] {
    return turnsOf(this.moments);
  }
  get last(): number {
    return Math.max(0, this.moments.length - 1);
  }
  /** The viewer's own seat; null if they did not play. */
  get own(): number | null {
    const mine = this.people.findIndex((p) => p?.mine);
    return mine < 0 ? null : mine;
  }
  /** The nearest seat: the chosen one, or the player's. */
  get near(): number {
    return this.only ?? this.own ?? 0;
  }
  get broken(): string {
    const { broken } = this.story ?? {};
    return broken ? say('replay.broken', { turn: broken.turn, why: refusalSaid(broken) }) : '';
  }
  get spot(): Spot {
    const { turn = 0, move = 0, at = 0 } = this.moment ?? {};
    const whole = this.moments[at + 1]?.turn !== turn;
    const hand = this.record.hands[this.hand]?.hand_no ?? 1;
    return { hand, turn, move: whole || turn === 0 ? null : move, seat: this.only };
  }

  players(hand = this.hand): number {
    return this.record.hands[hand]?.seats.length ?? 0;
  }

  name(seat: number): string {
    return this.record.hands[this.hand]?.seats[seat]?.name || say('seat.n', { n: seat + 1 });
  }

  private load(): void {
    const eyes = { seat: this.near, open: this.only === null };
    try {
      this.story = storyOf(this.engine, this.record, this.hand, eyes, this.people);
      this.problem = '';
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.story = null;
      this.problem = say('replay.fault.start', { text: error.message });
    }
  }

  private show(at: number): void {
    this.at = Math.min(Math.max(0, at), this.last);
    this.game.state = this.moment?.table ?? null;
    this.game.said = this.moment?.said.join(' ') ?? '';
    this.game.hear(this.game.said);
  }

  /** A single step forward is animated as at a table, with flying cards. */
  async go(at: number): Promise<void> {
    const forward = at === this.at + 1;
    if (forward) this.game.stage?.before();
    this.show(at);
    await tick();
    if (forward && this.moment) this.game.stage?.after(this.moment.events);
  }

  /** The moment at which the previous or the next turn ends. */
  turn(by: 1 | -1): Promise<void> {
    const ends = [0, ...this.turns.map((t) => t.at(-1)?.at ?? 0)];
    const next = by > 0 ? ends.find((at) => at > this.at) : ends.filter((at) => at < this.at).at(-1);
    return this.go(next ?? this.at);
  }

  see(only: number | null): void {
    if (only !== null && only >= this.players()) return;
    this.only = only;
    this.load();
    this.show(this.at);
  }

  toHand(hand: number, at = 0): void {
    if (hand < 0 || hand >= this.record.hands.length) return;
    this.hand = hand;
    this.load();
    this.show(at);
  }

  /** Jumps to the moment in an address. */
  to(spot: Spot): void {
    this.only = spot.seat !== null && spot.seat < this.players() ? spot.seat : null;
    this.toHand(
      Math.max(
        0,
        this.record.hands.findIndex((h) => h.hand_no === spot.hand),
      ),
    );
    this.show(momentOf(this.moments, spot.turn, spot.move));
  }

  play(on = !this.playing): void {
    clearTimeout(this.timer);
    this.playing = on;
    if (!on) return;
    if (this.at >= this.last) this.show(0);
    this.wait();
  }

  private wait(): void {
    this.timer = setTimeout(() => void this.beat(), STEP_MS / this.speed);
  }

  private async beat(): Promise<void> {
    await this.go(this.at + 1);
    if (this.playing && this.at < this.last) this.wait();
    else this.playing = false;
  }

  stop(): void {
    this.play(false);
  }
}
