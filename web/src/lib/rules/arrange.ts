/* Groups for an Indian hand at any moment of it, for the arrange button: as close to a declaration as the
 * cards allow, then with the fewest ungrouped points. A visual aid; the server decides what may be
 * declared. */
import { isJoker, PLACE_ACE_HIGH, rankOf, type Card } from '$lib/cards/cards';
import { GROUP_MIN, isWild, judgeGroup, pointsOf, type GroupKind, type Wild } from './groups';

/** A longer group splits into two of these. */
const GROUP_MAX = 5;
/** More than the cards in a hand. */
const POINT = 16;
/** [has a pure sequence, number of sequences (two are enough)], as one number: the states of the search. */
const STATES = 6;
const stateOf = (pure: boolean, sequences: number) => (pure ? 3 : 0) + Math.min(sequences, 2);
/** No pure sequence; one; one and a second sequence. */
const levelOf = (state: number) => (state < 3 ? 0 : state < 5 ? 1 : 2);

interface Group {
  mask: number;
  kind: GroupKind;
}
interface Found {
  /** Ungrouped points; among equals, ungrouped cards. */
  cost: number;
  groups: readonly Group[];
}

/** All groups of three to five of the cards, by their first card. */
function candidates(wild: Wild, cards: readonly Card[]): Group[][] {
  const found: Group[][] = cards.map(() => []);
  const grow = (taken: number[], from: number) => {
    if (taken.length >= GROUP_MIN) {
      const kind = judgeGroup(
        wild,
        taken.map((i) => cards[i] ?? ''),
      );
      const mask = taken.reduce((m, i) => m | (1 << i), 0);
      if (kind !== 'none') found[taken[0] ?? 0]?.push({ mask, kind });
    }
    if (taken.length === GROUP_MAX) return;
    for (let i = from; i < cards.length; i++) grow([...taken, i], i + 1);
  };
  grow([], 0);
  return found;
}

function joined(state: number, kind: GroupKind): number {
  const sequence = kind === 'pure' || kind === 'sequence' ? 1 : 0;
  return stateOf(state >= 3 || kind === 'pure', (state % 3) + sequence);
}

/** The cheapest way to group the cards of a mask, for each state. */
function search(wild: Wild, cards: readonly Card[]): (Found | undefined)[] {
  const groups = candidates(wild, cards);
  const known = new Map<number, (Found | undefined)[]>();
  const best = (mask: number): (Found | undefined)[] => {
    const before = known.get(mask);
    if (before) return before;
    const found = new Array<Found | undefined>(STATES);
    const offer = (state: number, cost: number, list: readonly Group[]) => {
      if (cost < (found[state]?.cost ?? Infinity)) found[state] = { cost, groups: list };
    };
    const first = 31 - Math.clz32(mask & -mask);
    if (mask === 0) found[0] = { cost: 0, groups: [] };
    else {
      const alone = pointsOf(wild, cards.slice(first, first + 1)) * POINT + 1;
      best(mask ^ (1 << first)).forEach((f, state) => f && offer(state, f.cost + alone, f.groups));
      for (const group of groups[first] ?? [])
        if ((group.mask & mask) === group.mask)
          best(mask ^ group.mask).forEach(
            (f, s) => f && offer(joined(s, group.kind), f.cost, [group, ...f.groups]),
          );
    }
    known.set(mask, found);
    return found;
  };
  return best((1 << cards.length) - 1);
}

/** A sequence in reading order: jokers in the gaps, then at its ends. Sets and other groups stay as they
 * are. */
function inOrder(wild: Wild, cards: readonly Card[], kind: GroupKind): Card[] {
  if (kind !== 'pure' && kind !== 'sequence') return [...cards];
  const joker = (c: Card) => (kind === 'pure' ? isJoker(c) : isWild(wild, c));
  const jokers = cards.filter(joker);
  const naturals = cards.filter((c) => !joker(c));
  const high = naturals.some((c) => rankOf(c) >= GROUP_MAX);
  const place = (c: Card) => (rankOf(c) === 0 && high ? PLACE_ACE_HIGH : rankOf(c));
  naturals.sort((a, b) => place(a) - place(b));
  const run: Card[] = [];
  for (const card of naturals) {
    const last = run.length > 0 ? place(naturals[0] ?? card) + run.length : place(card);
    for (let gap = place(card) - last; gap > 0; gap--) run.push(...jokers.splice(0, 1));
    run.push(card);
  }
  const last = naturals.at(-1);
  return last && place(last) === PLACE_ACE_HIGH ? [...jokers, ...run] : [...run, ...jokers];
}

const SHOWN: readonly GroupKind[] = ['pure', 'sequence', 'set'];

/** Groups of the hand, sequences first. */
export function arrangeGroups(wild: Wild, hand: readonly Card[]): Card[][] {
  let best: { level: number; found: Found } | null = null;
  search(wild, hand).forEach((found, state) => {
    const level = levelOf(state);
    const better =
      !best || level > best.level || (level === best.level && found && found.cost < best.found.cost);
    if (found && better) best = { level, found };
  });
  const groups = [...((best as { found: Found } | null)?.found.groups ?? [])];
  groups.sort((a, b) => SHOWN.indexOf(a.kind) - SHOWN.indexOf(b.kind));
  return groups.map(({ mask, kind }) =>
    inOrder(
      wild,
      hand.filter((_, i) => (mask >> i) & 1),
      kind,
    ),
  );
}
