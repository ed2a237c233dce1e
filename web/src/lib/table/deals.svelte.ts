/* The data that this browser saw of each dealt hand of a table, kept across reloads, and the results of the
 * checks. */
import { load, prune, save } from '$lib/api/storage';
import { randomId } from '@rummyd/client';
import { verify, type Verdict, type Witness } from '$lib/fair/deal';
import type { Fairness, TableEvent } from '@rummyd/client';
import { isFreshDeal, type TableState } from './state';

/** The check of one dealt hand. */
export interface Checked {
  handNo: number;
  fairness: Fairness;
  verdict: Verdict;
}

const NO_WITNESS: Witness = { commit: '', seed: '', seat: null, dealt: [] };
const KEPT_TABLES = 8;
const SEED_BYTES = 32;
const WORST_FIRST: Verdict['state'][] = ['failed', 'unavailable', 'partial', 'verified'];

export class Deals {
  /** Every hand whose deal was revealed and checked here, in order. */
  checked = $state.raw<Checked[]>([]);
  private readonly witnesses: Record<number, Witness>;

  constructor(private readonly tableId: string) {
    prune('deal:', KEPT_TABLES);
    this.witnesses = load<Record<number, Witness>>(`deal:${tableId}`, {});
  }

  /** The worst result of the checks; null until a deal is revealed. */
  get verdict(): Verdict | null {
    const verdicts = this.checked.map((c) => c.verdict);
    return verdicts.sort((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state))[0] ?? null;
  }

  witness(handNo: number): Witness {
    return this.witnesses[handNo] ?? NO_WITNESS;
  }

  /** Records a commitment. Only the first one shown for a hand counts. */
  sealed(handNo: number, commit: string): void {
    if (!this.witness(handNo).commit) this.keep(handNo, { commit });
  }

  /** This browser's client seed for a hand, which stays the same after a reconnection. */
  seedFor(handNo: number): string {
    return this.witness(handNo).seed || randomId(SEED_BYTES);
  }

  seedTaken(handNo: number, seed: string): void {
    this.keep(handNo, { seed });
  }

  snapshot(state: TableState): void {
    if (state.phase === 'waiting') this.sealed(1, state.table.commit);
    this.keep(Math.max(1, state.handNo), { seat: state.me });
    if (isFreshDeal(state)) this.keep(state.handNo, { dealt: state.hand });
  }

  event(event: TableEvent, state: TableState): void {
    if (event.t === 'dealt' && state.dealt.length > 0 && event.seat === state.me)
      this.keep(state.handNo, { dealt: state.dealt, seat: state.me });
    if (event.t === 'turn' && this.witness(state.handNo).starter === undefined) {
      const out = state.seats.filter((s) => s.satOut).map((s) => s.seat);
      this.keep(state.handNo, { starter: state.starter, out });
    }
  }

  /** Compares a revealed deal with its commitment and with the cards seen here. */
  async check(fairness: Fairness, state: Pick<TableState, 'rules' | 'me' | 'starter'>): Promise<void> {
    const handNo = fairness.hand_no;
    const seen = this.witness(handNo);
    const witness = { ...seen, seat: state.me ?? seen.seat };
    const starter = handNo === 1 ? null : (seen.starter ?? state.starter);
    const verdict = await verify(fairness, witness, { rules: state.rules, starter, out: seen.out ?? [] });
    const others = this.checked.filter((c) => c.handNo !== handNo);
    this.checked = [...others, { handNo, fairness, verdict }].sort((a, b) => a.handNo - b.handNo);
  }

  private keep(handNo: number, change: Partial<Witness>): void {
    this.witnesses[handNo] = { ...this.witness(handNo), ...change };
    save(`deal:${this.tableId}`, this.witnesses);
  }
}
