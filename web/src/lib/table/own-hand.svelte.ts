/* The player's arrangement and selection of their cards at one table, kept across reloads. */
import { load, prune, save } from '$lib/api/storage';
import type { Card, SortKey } from '$lib/cards/cards';
import { prefs } from '$lib/prefs.svelte';
import { GROUP_MIN, GROUPS_MAX } from '$lib/rules/groups';
import * as hands from './hand';
import type { TableEvent } from '@rummyd/client';
import type { TableState } from './state';

/** An arrangement belongs to one hand, because with two packs the same cards may be dealt again. */
interface KeptHand {
  handNo: number;
  order: hands.HandOrder;
}

const KEPT_TABLES = 8;

export class OwnHand {
  order = $state.raw<hands.HandOrder>(hands.EMPTY_ORDER);
  selected = $state.raw<readonly Card[]>([]);
  private handNo: number;
  /** Last sort order. */
  private sortedBy: SortKey = 'suit';

  /** tableId: empty if nothing is stored. */
  constructor(private readonly tableId: string) {
    this.handNo = 0;
    if (!tableId) return;
    prune('hand:', KEPT_TABLES);
    const kept = load<Partial<KeptHand>>(`hand:${tableId}`, {});
    this.handNo = kept.handNo ?? 0;
    this.order = kept.order ?? hands.EMPTY_ORDER;
  }

  /** The card for the finish slot: the selected card, or the only ungrouped one. */
  get finish(): Card | null {
    if (this.selected.length === 1) return this.selected[0] ?? null;
    return this.selected.length === 0 && this.order.loose.length === 1 ? (this.order.loose[0] ?? null) : null;
  }

  /** The groups and the ungrouped cards, without `finish`. */
  grouped(finish: Card | null): hands.HandOrder {
    return hands.without(this.order, finish === null ? [] : [finish]);
  }

  /** The groups in the server's form: groups that are too small and excess groups count as ungrouped. */
  sentGroups(finish: Card | null): Card[][] {
    const groups = this.grouped(finish).groups.filter((g) => g.length >= GROUP_MIN);
    return groups.slice(0, GROUPS_MAX);
  }

  arrange(order: hands.HandOrder): void {
    this.order = order;
    if (this.tableId) save(`hand:${this.tableId}`, { handNo: this.handNo, order } satisfies KeptHand);
  }

  toggle(card: Card): void {
    this.selected = this.selected.includes(card)
      ? this.selected.filter((c) => c !== card)
      : [...this.selected, card];
  }

  groupSelected(): void {
    if (this.selected.length === 0) return;
    this.arrange(hands.group(this.order, this.selected));
    this.selected = [];
  }

  /** Arranges the hand into these groups, followed by the other cards, sorted. */
  regroup(groups: readonly Card[][], hand: readonly Card[]): void {
    const loose = hands.sortLoose({ groups: [], loose: [...hand] }, 'suit');
    this.selected = [];
    this.arrange(groups.reduce((order, cards) => hands.group(order, cards), loose));
  }

  sort(by: SortKey): void {
    this.sortedBy = by;
    this.arrange(hands.sortLoose(this.order, by));
  }

  /** After a change of device, adopts the groups that the server has and this browser does not. */
  snapshot(state: TableState): void {
    const kept = this.handNo === state.handNo ? this.order : hands.EMPTY_ORDER;
    const order = hands.reconcile(kept, state.hand);
    const groups = order.groups.length > 0 ? [] : state.grouping;
    this.hold(
      groups.reduce((o, cards) => hands.group(o, cards), order),
      state,
    );
  }

  /** Sorts a newly dealt hand. Later cards go to the end or to their sorted place, depending on the
   * player's setting. */
  event(event: TableEvent, state: TableState): void {
    const dealt = event.t === 'dealt' && event.seat === state.me;
    const order = hands.reconcile(dealt ? hands.EMPTY_ORDER : this.order, state.hand);
    const drawn = event.t === 'drew' && event.seat === state.me ? event.d.card : undefined;
    if (dealt) this.hold(hands.sortLoose(order, this.sortedBy), state);
    else if (drawn && prefs.now.sortDrawn) this.hold(hands.placeLoose(order, drawn, this.sortedBy), state);
    else this.hold(order, state);
  }

  private hold(order: hands.HandOrder, state: TableState): void {
    this.handNo = state.handNo;
    this.arrange(order);
    const chosen = this.selected.filter((c) => state.hand.includes(c));
    if (chosen.length !== this.selected.length) this.selected = chosen;
  }
}
