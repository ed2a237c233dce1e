/* A running tournament: reloaded whenever the lobby reports a change, and periodically in any case. */
import { api, idempotencyKey, need } from '$lib/api/client';
import { session } from '$lib/api/session.svelte';
import { Paged, type Chunk } from '$lib/ui/paged.svelte';
import { Task } from '$lib/ui/task.svelte';
import { randomId } from '@rummyd/client';
import { HEAL_MS, STEADY_MS } from '$lib/lobby/reload';
import { follow } from '$lib/lobby/follow';
import { hasChanged, tellsOf, type Line, type RoundTable, type SeatResult, type Told } from './tournaments';

const SEED_BYTES = 32;
const [PAGE, PAGE_MAX] = [20, 100];

/** A list that is reloaded while it is displayed, up to the maximum size of one request. */
function list<T>(fetch: (query: { cursor?: string; limit: number }) => Promise<Chunk<T>>) {
  const paged: Paged<T> = new Paged<T>((query) =>
    fetch({ ...query, limit: query.cursor ? PAGE : Math.min(PAGE_MAX, Math.max(PAGE, paged.items.length)) }),
  );
  return paged;
}

export class Round {
  readonly tables: Paged<RoundTable>;

  constructor(
    id: string,
    readonly number: number,
  ) {
    const path = { tournament: id, round: number };
    this.tables = list((query) =>
      need(api.GET('/v1/tournaments/{tournament}/rounds/{round}/tables', { params: { path, query } })),
    );
  }
}

/** Results of all players in a seat, in a round whose deal was the same for all. */
export function seatResults(tournament: string, round: number, seat: number): Paged<SeatResult> {
  const path = { tournament, round, seat };
  return list((query) =>
    need(api.GET('/v1/tournaments/{tournament}/rounds/{round}/seats/{seat}', { params: { path, query } })),
  );
}

export class TournamentView {
  told = $state.raw<Told | null>(null);
  /** Rounds drawn so far, in order. */
  rounds = $state.raw<readonly Round[]>([]);
  readonly standings: Paged<Line>;
  readonly reading = new Task();
  /** Entering or withdrawing. */
  readonly acting = new Task();

  constructor(private readonly id: string) {
    this.standings = list((query) =>
      need(
        api.GET('/v1/tournaments/{tournament}/standings', {
          params: { path: { tournament: id }, query },
        }),
      ),
    );
  }

  /** Keeps the tournament up to date until the returned function is called. */
  follow(): () => void {
    return follow({
      read: () => void this.read(),
      own: (frame) => tellsOf(frame, this.id),
      told: (frame) => hasChanged(frame, this.id),
      heals: () => this.heals,
    });
  }

  /** Reloads the tournament, and the rounds that may have changed. */
  async read(): Promise<void> {
    const path = { tournament: this.id };
    await this.reading.run(async () => {
      this.told = await need(api.GET('/v1/tournaments/{tournament}', { params: { path } }));
    });
    if (this.told === null) return;
    const { round } = this.told;
    const known = this.rounds.length;
    if (round > known) {
      const more = Array.from({ length: round - known }, (_, i) => new Round(this.id, known + i + 1));
      this.rounds = [...this.rounds, ...more];
    }
    const changed = this.rounds.filter((one) => one.number >= known);
    await Promise.all([this.standings.first(), ...changed.map((one) => one.tables.first())]);
  }

  /** Enters the tournament: the fee goes into the pot, and the draws use this browser's seed. In a team
   * match, the player joins that team. */
  async enter(team?: number): Promise<void> {
    const params = { path: { tournament: this.id }, header: idempotencyKey() };
    const body = { client_seed: randomId(SEED_BYTES), ...(team === undefined ? {} : { team }) };
    await this.act(() => need(api.POST('/v1/tournaments/{tournament}/entries', { params, body })));
  }

  async withdraw(): Promise<void> {
    const params = { path: { tournament: this.id } };
    await this.act(() => need(api.DELETE('/v1/tournaments/{tournament}/entries/me', { params })));
  }

  /** The server does not report tables that end within a round, so a running tournament is polled more
   * often. A finished tournament does not change. */
  private get heals(): number {
    if (this.told?.state === 'open') return STEADY_MS;
    return this.told === null || this.told.state === 'running' ? HEAL_MS : Infinity;
  }

  /** Reloads the tournament even after a refusal, because another player may have been faster, and the
   * purse, which has changed. */
  private async act(work: () => Promise<unknown>): Promise<void> {
    await this.acting.run(work);
    await Promise.all([this.read(), session.reload().catch(() => undefined)]);
  }
}
