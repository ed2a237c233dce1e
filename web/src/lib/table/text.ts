/* Each event as one short sentence, for the note on the table, the log, and the live region. */
import {
  cardName,
  cardObject,
  cardObjects,
  cardSubject,
  isJoker,
  rankName,
  type Card,
} from '$lib/cards/cards';
import { say, sayOr } from '$lib/messages/messages';
import type { TableEvent } from '@rummyd/client';
import { isWild } from '$lib/rules/groups';
import { standsFor, type Laid } from '$lib/rules/melds';
import { mayMeld, mySeat, wildOf, type TableState } from './state';

/** Whether this is the viewer's seat. */
export function isYou(state: TableState, seat: number | null | undefined): boolean {
  return typeof seat === 'number' && seat === state.me && !state.onlooker;
}

export function nickOf(state: TableState, seat: number | null | undefined): string {
  if (seat === null || seat === undefined) return say('nobody');
  if (isYou(state, seat)) return say('you');
  return state.seats.find((s) => s.seat === seat)?.nick ?? say('seat.n', { n: seat + 1 });
}

/** Why the table rejected a move, in the language of the page. */
export function refusalSaid({ code }: { code: string }): string {
  return sayOr(`refusal.${code}`, sayOr(`problem.${code}`, say('table.not_possible')));
}

/** Some languages have a separate word for a set of four. */
export function kindOf({ kind, cards }: Pick<Laid, 'kind' | 'cards'>): 'run' | 'set' | 'four' {
  return kind === 'set' && cards.length > 3 ? 'four' : kind;
}

const meldOf = (state: TableState, id: number) => state.melds.find((m) => m.id === id);

/** Message values for the meld that a player changes: its kind, `whose`, and its `owner`. */
function onMeld(state: TableState, id: number, seat: number | null | undefined) {
  const meld = meldOf(state, id);
  if (!meld) return { kind: '', whose: 'nobody', owner: '' };
  const whose = isYou(state, meld.owner) ? 'mine' : meld.owner === seat ? 'own' : 'their';
  return {
    kind: meld.kind,
    whose: isYou(state, seat) && whose === 'own' ? 'mine' : whose,
    owner: nickOf(state, meld.owner),
  };
}

/** A card in a meld. A joker in a run is named with the card that it replaces. */
function laidName(meld: Laid | undefined, card: Card): string {
  const stood = meld ? standsFor(meld, meld.cards.indexOf(card)) : '';
  return stood ? say('cards.joker_for', { card: cardName(stood) }) : cardName(card);
}

export function laidNames(meld: Laid | undefined, cards: readonly Card[] = meld?.cards ?? []): string {
  return cards.map((card) => laidName(meld, card)).join(', ');
}

/** Message values for the player who acted. */
interface Doer {
  you: boolean;
  who: string;
}

/** seen: the card drawn from the stock, if the viewer may see it. */
function drew(doer: Doer, from: 'stock' | 'discard', card: Card | undefined, seen: Card | undefined): string {
  if (from === 'discard')
    return card
      ? say('event.drew.discard', { ...doer, card: cardObject(card) })
      : say('event.drew.pile', { ...doer });
  if (card && doer.you) return say('event.drew.stock.card', { card: cardObject(card) });
  return seen
    ? say('event.drew.stock.seen', { ...doer, card: cardObject(seen) })
    : say('event.drew.stock', { ...doer });
}

/** `state` is the state after the event. seen: the card that was drawn, if known. Empty for events that
 * need no words. */
export function describe(event: TableEvent, state: TableState, seen?: Card): string {
  const doer = { you: isYou(state, event.seat), who: nickOf(state, event.seat) };
  switch (event.t) {
    case 'dealt':
      return doer.you && event.d.cards ? say('event.dealt', { n: event.d.cards.length }) : '';
    case 'turn':
      if (!doer.you) return '';
      return say(event.d.phase === 'play' ? 'event.begin' : 'event.turn');
    case 'drew':
      return drew(doer, event.d.from, event.d.card, seen);
    case 'draw_cancelled':
      return say('event.draw_cancelled', { ...doer, card: cardObject(event.d.card) });
    case 'melded':
      return say('event.melded', {
        ...doer,
        kind: kindOf({ kind: event.d.kind, cards: event.d.cards }),
        worth: event.d.worth,
        cards: laidNames(meldOf(state, event.d.meld), event.d.cards),
      });
    case 'taken_back':
      return say('event.taken_back', { ...doer, cards: cardObjects(event.d.cards) });
    case 'opened':
      return say('event.opened', { ...doer, sum: event.d.sum });
    case 'laid_off':
      return say('event.laid_off', {
        ...doer,
        card: laidName(meldOf(state, event.d.meld), event.d.card),
        ...onMeld(state, event.d.meld, event.seat),
      });
    case 'swapped':
      return say('event.swapped', {
        ...doer,
        card: cardObject(event.d.card),
        ...onMeld(state, event.d.meld, event.seat),
      });
    case 'swap_undone':
      return say('event.swap_undone', { ...doer });
    case 'discarded':
      if (typeof event.seat !== 'number')
        return say('event.on_top', { card: cardSubject(event.d.cards[0] ?? '') });
      return event.d.buried
        ? say('event.buried', { ...doer, card: cardSubject(event.d.cards.at(-1) ?? '') })
        : say('event.discarded', { ...doer, cards: cardObjects(event.d.cards) });
    case 'reshuffled':
      return say('event.reshuffled', { n: event.d.stock_n });
    case 'flipped':
      return say('event.flipped', { ...doer, n: event.d.stock_n });
    case 'timed_out':
    case 'away':
    case 'returned':
    case 'left':
      return say(`event.${event.t}`, { ...doer });
    default:
      return describeDeal(event, state, doer);
  }
}

/** Events that only Indian games have, and the end of a hand. */
function describeDeal(event: TableEvent, state: TableState, doer: Doer): string {
  switch (event.t) {
    case 'wild':
      return wildSentence(event.d.card, state);
    case 'dropped':
      return say('event.dropped', { ...doer, n: event.d.points });
    case 'declared':
      return say(event.d.valid ? 'event.declared' : 'event.declared_wrongly', { ...doer });
    case 'grouped':
      return event.d.done && doer.you ? say('event.grouped') : '';
    case 'rejoined':
    case 'eliminated':
      return say(`event.${event.t}`, { ...doer, n: event.d.total });
    case 'hand_ended':
      return handEnded(event, state);
    default:
      return '';
  }
}

export function wildSentence(card: Card, state: TableState): string {
  if (isJoker(card)) return say('event.wild.joker');
  return state.rules.wild_scope === 2
    ? say('event.wild.exact', { card: cardName(card) })
    : say('event.wild.rank', { rank: rankName(card) });
}

function handEnded(event: TableEvent & { t: 'hand_ended' }, state: TableState): string {
  const { winner, ending, rummy } = event.d;
  if (winner === null) return say(ending === 'no_cards' ? 'event.no_cards' : 'event.hand_over');
  const doer = { you: isYou(state, winner), who: nickOf(state, winner) };
  if (ending === 'last') return say('event.won.last', doer);
  if (state.rules.family === 'declare') return say('event.won.deal', doer);
  /* No one went out, so the winner is the player with the lowest hand. */
  if (ending === 'no_cards') return say('event.won.lowest', doer);
  return say(rummy ? 'event.won.rummy' : 'event.won', doer);
}

/** The most useful thing the player could do now. */
export function prompt(state: TableState): string {
  if (state.phase === 'waiting') return say('prompt.waiting');
  if (state.phase === 'over') return say('prompt.over');
  if (state.phase === 'hand_over') return say('prompt.hand_over');
  if (state.phase === 'group') return groupPrompt(state);
  if (state.toMove === null) return '';
  if (state.toMove !== state.me)
    return outPrompt(state) || say('prompt.playing', { who: nickOf(state, state.toMove) });
  return state.phase === 'draw' ? drawPrompt(state) : playPrompt(state);
}

function groupPrompt(state: TableState): string {
  if (state.me !== null && state.toGroup.includes(state.me)) return say('prompt.group');
  return say('prompt.others_group');
}

function outPrompt(state: TableState): string {
  const mine = mySeat(state);
  if (mine?.eliminated) return say('prompt.eliminated');
  if (mine?.dropped) return say('prompt.dropped');
  return mine?.wrong ? say('prompt.wrong') : '';
}

/** Whether the discard pile can be turned over to become the stock. */
export function mayFlip(state: TableState): boolean {
  return state.flips < state.rules.stock_flips && state.stockN === 0 && state.discard.length > 1;
}

function drawPrompt(state: TableState): string {
  if (mayFlip(state)) return say('prompt.flip');
  if (state.turn.stockOnly) return say('prompt.stock_only');
  const top = state.discard.at(-1);
  const closed = state.rules.family === 'declare' && top && !state.mayTake && isWild(wildOf(state), top);
  return closed ? say('prompt.draw.closed') : say('prompt.draw');
}

function playPrompt(state: TableState): string {
  const { turn, rules } = state;
  if (rules.family === 'declare') return say('prompt.declare');
  if (!turn.drew) return say('prompt.begin');
  if (turn.mustOpen) return say('prompt.must_open', { points: turn.openingMin });
  if (turn.freed.length > 0 && !rules.swapped_joker_kept) return say('prompt.freed');
  if (turn.stagedSum > 0) return say('prompt.opening', { points: turn.stagedSum, goal: turn.openingMin });
  return say(mayMeld(state) ? 'prompt.play' : 'prompt.first_round');
}
