/* One tournament as it goes on: read anew whenever the lobby tells of it, and now and then in any case. */
import { api, idempotencyKey, need } from '$lib/api/client';
import { session } from '$lib/api/session.svelte';
import { lobby } from '$lib/lobby/lobby.svelte';
import { Paged, type Chunk } from '$lib/ui/paged.svelte';
import { Task } from '$lib/ui/task.svelte';
import { randomId } from '@rummyd/client';
import { tellsOf, type Line, type RoundTable, type Told } from './tournaments';

/** What the lobby has not told of is seen after so long. */
export const HEAL_MS = 10_000;
const SEED_BYTES = 32;
const [PAGE, PAGE_MAX] = [20, 100];

/** A list that is read anew as long as it is shown, as far as it may be had at once. */
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

export class TournamentView {
  told = $state.raw<Told | null>(null);
  /** Those that were drawn, the first one first. */
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

  /** Follows it until the function that this answers is called. */
  follow(): () => void {
    void this.read();
    const timer = setInterval(() => {
      if (!document.hidden && !this.over) void this.read();
    }, HEAL_MS);
    const ends = [
      lobby.listen((frame) => tellsOf(frame, this.id) && void this.read()),
      lobby.onreturn(() => void this.read()),
      () => clearInterval(timer),
    ];
    return () => ends.forEach((end) => end());
  }

  /** How it is now; of its rounds those that may have changed. */
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

  /** What it costs goes into the pot, and this browser's part into the draws. */
  async enter(): Promise<void> {
    const params = { path: { tournament: this.id }, header: idempotencyKey() };
    const body = { client_seed: randomId(SEED_BYTES) };
    await this.act(() => need(api.POST('/v1/tournaments/{tournament}/entries', { params, body })));
  }

  async withdraw(): Promise<void> {
    const params = { path: { tournament: this.id } };
    await this.act(() => need(api.DELETE('/v1/tournaments/{tournament}/entries/me', { params })));
  }

  private get over(): boolean {
    return this.told?.state === 'ended' || this.told?.state === 'cancelled';
  }

  /** Refused or not: somebody else may have come first, so it is read anew; and the purse has changed. */
  private async act(work: () => Promise<unknown>): Promise<void> {
    await this.acting.run(work);
    await Promise.all([this.read(), session.reload().catch(() => undefined)]);
  }
}
