/* Messages of a club: the latest ones, polled while the chat is visible, and older ones on request. */
import { api, idempotencyKey, need } from '$lib/api/client';
import { Task } from '$lib/ui/task.svelte';
import { goesOn, withPage } from './lines';
import type { ClubLine, LineReason } from './clubs';

/** There is no notification of new messages, so they are polled at this interval. */
const EVERY_MS = 4000;
const SHOWN = 50;

export class ClubChat {
  /** Oldest first. */
  lines = $state.raw<ClubLine[]>([]);
  /** Whether there are older messages. */
  older = $state(false);
  loaded = $state(false);
  readonly loading = new Task();
  readonly saying = new Task();
  readonly doing = new Task();
  #next: string | null = null;
  /** Id of the latest message at the last poll. */
  #latest: string | null = null;

  constructor(private readonly club: string) {}

  /** Polls until the returned function is called, except while the page is hidden. */
  follow(): () => void {
    const look = () => void (document.hidden || this.loading.busy || this.look());
    const timer = setInterval(look, EVERY_MS);
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }

  look(): Promise<boolean> {
    return this.loading.run(async () => {
      const page = await this.#page();
      const alone = page.next === null || !goesOn(this.#latest, page.items);
      this.lines = withPage(this.lines, page.items, alone);
      if (alone) this.#ends(page.next);
      this.#latest = page.items[0]?.id ?? null;
      this.loaded = true;
    });
  }

  more(): Promise<boolean> {
    return this.doing.run(async () => {
      const page = await this.#page(this.#next ?? undefined);
      this.lines = [...[...page.items].reverse(), ...this.lines];
      this.#ends(page.next);
    });
  }

  say(text: string): Promise<boolean> {
    const params = { path: { club: this.club }, header: idempotencyKey() };
    return this.saying.run(async () => {
      const line = await need(api.POST('/v1/clubs/{club}/chat', { params, body: { text } }));
      if (!this.lines.some((one) => one.id === line.id)) this.lines = [...this.lines, line];
    });
  }

  remove(message: string): Promise<boolean> {
    const params = { path: { club: this.club, message } };
    return this.doing.run(async () => {
      await need(api.DELETE('/v1/clubs/{club}/chat/{message}', { params }));
      this.lines = this.lines.filter((line) => line.id !== message);
    });
  }

  report(message: string, reason: LineReason, text: string): Promise<boolean> {
    const params = { path: { club: this.club, message } };
    return this.doing.run(() =>
      need(api.POST('/v1/clubs/{club}/chat/{message}/reports', { params, body: { reason, text } })),
    );
  }

  #page(cursor?: string) {
    const params = { path: { club: this.club }, query: { limit: SHOWN, ...(cursor && { cursor }) } };
    return need(api.GET('/v1/clubs/{club}/chat', { params }));
  }

  #ends(next: string | null): void {
    this.#next = next;
    this.older = next !== null;
  }
}
