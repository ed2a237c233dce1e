/* The club that a page shows: its data, its members, and actions on both. */
import { api, need } from '$lib/api/client';
import { session } from '$lib/api/session.svelte';
import { HEAL_MS } from '$lib/lobby/reload';
import { follow } from '$lib/lobby/follow';
import { everything } from '$lib/ui/paged.svelte';
import { Task } from '$lib/ui/task.svelte';
import type { Club, ClubChange, ClubRequest, Member, ReportReason } from './clubs';

export class ClubState {
  club = $state.raw<Club | null>(null);
  members = $state.raw<Member[]>([]);
  readonly loading = new Task();
  readonly doing = new Task();
  readonly saving = new Task();
  readonly reporting = new Task();

  constructor(private readonly id: string) {}

  /** Keeps the club up to date until the returned function is called. It also polls, because there are no
   * notifications of members who leave or of a second request by the same player within a week. */
  follow(): () => void {
    return follow({
      read: () => void this.load(),
      own: (frame) => frame.t === 'notification' && frame.d.kind === 'club',
      heals: () => HEAL_MS,
    });
  }

  load(): Promise<boolean> {
    return this.loading.run(() => this.look());
  }

  private async look(): Promise<void> {
    const path = { club: this.id };
    const [club, members] = await Promise.all([
      need(api.GET('/v1/clubs/{club}', { params: { path } })),
      everything((query) => need(api.GET('/v1/clubs/{club}/members', { params: { path, query } }))),
    ]);
    this.club = club;
    this.members = members;
  }

  private act(work: () => Promise<unknown>, task = this.doing): Promise<boolean> {
    return task.run(async () => {
      await work();
      await this.look();
    });
  }

  /** Joins or requests membership; with another's id it accepts them. */
  join(player = session.me?.id ?? ''): Promise<boolean> {
    const path = { club: this.id, player };
    return this.act(() => need(api.PUT('/v1/clubs/{club}/members/{player}', { params: { path } })));
  }

  /** Leaves or withdraws the request; with another's id it removes or declines them. */
  leave(player = session.me?.id ?? ''): Promise<boolean> {
    const path = { club: this.id, player };
    return this.act(() => need(api.DELETE('/v1/clubs/{club}/members/{player}', { params: { path } })));
  }

  private patch(body: ClubChange, task: Task): Promise<boolean> {
    const path = { club: this.id };
    return this.act(() => need(api.PATCH('/v1/clubs/{club}', { params: { path }, body })), task);
  }

  save(body: ClubRequest): Promise<boolean> {
    return this.patch(body, this.saving);
  }

  handOver(player: string): Promise<boolean> {
    return this.patch({ owner_id: player }, this.doing);
  }

  report(reason: ReportReason, text: string): Promise<boolean> {
    const params = { path: { club: this.id } };
    return this.reporting.run(() =>
      need(api.POST('/v1/clubs/{club}/reports', { params, body: { reason, text } })),
    );
  }

  /** Closes the club for good, so the page has nothing left to show. */
  close(): Promise<boolean> {
    return this.doing.run(() =>
      need(api.DELETE('/v1/clubs/{club}', { params: { path: { club: this.id } } })),
    );
  }
}
