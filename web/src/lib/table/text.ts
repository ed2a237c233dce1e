/* What happened, as one short sentence: for the line on the table, the log and the live region. */
import { cardName, cardNames, isJoker, type Card } from '$lib/cards/cards';
import type { TableEvent } from '@rummyd/client';
import { isWild } from '$lib/rules/groups';
import { mySeat, wildOf, type TableState } from './state';

export function nickOf(state: TableState, seat: number | null | undefined): string {
  if (seat === null || seat === undefined) return 'Nobody';
  if (seat === state.me) return 'You';
  return state.seats.find((s) => s.seat === seat)?.nick ?? `Seat ${seat + 1}`;
}

function plural(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}

function ownerOf(state: TableState, meld: number): string {
  const owner = state.melds.find((m) => m.id === meld)?.owner;
  if (owner === undefined) return 'a meld';
  return owner === state.me ? 'your meld' : `${nickOf(state, owner)}’s meld`;
}

function drew(who: string, you: boolean, from: 'stock' | 'discard', card: Card | undefined): string {
  const pile = from === 'stock' ? 'the stock' : 'the discard pile';
  if (card && (you || from === 'discard')) return `${who} drew the ${cardName(card)} from ${pile}.`;
  return `${who} drew from ${pile}.`;
}

/** `state` is the one after the event. Empty for what needs no words. */
export function describe(event: TableEvent, state: TableState): string {
  const who = nickOf(state, event.seat);
  const you = state.me !== null && event.seat === state.me;
  const has = you ? 'have' : 'has';
  switch (event.t) {
    case 'dealt':
      return you && event.d.cards ? `You were dealt ${event.d.cards.length} cards.` : '';
    case 'turn':
      if (!you) return '';
      return event.d.phase === 'play' ? 'You begin: throw one card.' : 'Your turn: draw a card.';
    case 'drew':
      return drew(who, you, event.d.from, event.d.card);
    case 'draw_cancelled':
      return `${who} put the ${cardName(event.d.card)} back.`;
    case 'melded':
      return `${who} laid a ${event.d.kind} for ${event.d.worth}: ${cardNames(event.d.cards)}.`;
    case 'taken_back':
      return `${who} took back ${cardNames(event.d.cards)}.`;
    case 'opened':
      return `${who} ${has} opened with ${event.d.sum}.`;
    case 'laid_off':
      return `${who} laid the ${cardName(event.d.card)} on ${ownerOf(state, event.d.meld)}.`;
    case 'swapped':
      return `${who} swapped the ${cardName(event.d.card)} for a joker.`;
    case 'swap_undone':
      return `${who} put the joker back.`;
    case 'discarded':
      return event.d.buried
        ? `${who} buried a joker under the ${cardName(event.d.cards.at(-1) ?? '')}.`
        : `${who} threw the ${cardNames(event.d.cards)}.`;
    case 'reshuffled':
      return `The discard pile was shuffled: ${plural(event.d.stock_n, 'card')} in the stock.`;
    case 'flipped':
      return `${who} turned the discard pile over: ${plural(event.d.stock_n, 'card')} in the stock.`;
    case 'timed_out':
      return `${who} ran out of time.`;
    case 'away':
      return you ? 'You are away: a bot plays for you.' : `${who} is away; a bot plays on.`;
    case 'returned':
      return you ? 'Welcome back: you play again.' : `${who} is back.`;
    case 'left':
      return `${who} ${has} left; a bot plays on.`;
    case 'wild':
      return wildSentence(event.d.card, state);
    case 'dropped':
      return `${who} dropped out of this deal: ${event.d.points} points.`;
    case 'declared':
      return event.d.valid
        ? `${who} declared: a valid hand.`
        : `${who} declared wrongly and ${you ? 'are' : 'is'} out of this deal.`;
    case 'grouped':
      return event.d.done && you ? 'Your groups are saved.' : '';
    case 'rejoined':
      return `${who} ${you ? 'are' : 'is'} in the pool again with ${event.d.total} points.`;
    case 'eliminated':
      return `${who} ${you ? 'are' : 'is'} out of the pool with ${event.d.total} points.`;
    case 'hand_ended':
      return handEnded(event, state);
    default:
      return '';
  }
}

function wildSentence(card: Card, state: TableState): string {
  if (isJoker(card)) return 'A joker was turned up: all aces are wild.';
  const rank = cardName(card).split(' ')[0] ?? '';
  return state.rules.wild_scope === 2 ? `Wild card: the ${cardName(card)}.` : `Wild cards: every ${rank}.`;
}

/** "win" after "are", "wins" after "is". */
function you(verb: string): string {
  return verb === 'are' ? 'win' : 'wins';
}

function handEnded(event: TableEvent & { t: 'hand_ended' }, state: TableState): string {
  const { winner, ending, rummy } = event.d;
  if (winner !== null) {
    const who = nickOf(state, winner);
    const verb = winner === state.me ? 'are' : 'is';
    if (ending === 'last') return `${who} ${verb} the last one in and ${you(verb)} this deal.`;
    if (state.rules.family === 'declare') return `${who} ${you(verb)} this deal.`;
    return rummy ? `Rummy! ${who} ${verb} out in one turn.` : `${who} ${verb} out.`;
  }
  return ending === 'no_cards' ? 'No cards are left to draw: the hand is over.' : 'The hand is over.';
}

/** The most useful thing the player could do now. */
export function prompt(state: TableState): string {
  if (state.phase === 'waiting') return 'Waiting for players';
  if (state.phase === 'over') return 'The game is over';
  if (state.phase === 'hand_over') return 'The hand is over';
  if (state.phase === 'group') return groupPrompt(state);
  if (state.toMove === null) return '';
  if (state.toMove !== state.me) return outPrompt(state) || `${nickOf(state, state.toMove)} is playing`;
  return state.phase === 'draw' ? drawPrompt(state) : playPrompt(state);
}

function groupPrompt(state: TableState): string {
  if (state.me !== null && state.toGroup.includes(state.me)) return 'Group your cards';
  return 'The others group their cards';
}

function outPrompt(state: TableState): string {
  const mine = mySeat(state);
  if (mine?.eliminated) return 'You are out of the pool';
  if (mine?.dropped) return 'You dropped: wait for the next deal';
  return mine?.wrong ? 'Wrong declaration: wait for the next deal' : '';
}

/** Could the discard pile become the stock as it lies? */
export function mayFlip(state: TableState): boolean {
  return state.flips < state.rules.stock_flips && state.stockN === 0 && state.discard.length > 1;
}

function drawPrompt(state: TableState): string {
  if (mayFlip(state)) return 'The stock is empty: turn the pile over, or take the discard';
  if (state.turn.stockOnly) return 'Draw from the stock';
  const top = state.discard.at(-1);
  const closed = state.rules.family === 'declare' && top && !state.mayTake && isWild(wildOf(state), top);
  return closed ? 'Draw: the wild card on the pile stays there' : 'Draw a card';
}

function playPrompt(state: TableState): string {
  const { turn, rules } = state;
  if (rules.family === 'declare') return 'Throw a card, or declare';
  if (!turn.drew) return 'You begin: throw one card';
  if (turn.mustOpen) return `Open with ${turn.openingMin}, or put the card back`;
  if (turn.freed.length > 0 && !rules.swapped_joker_kept) return 'Use the joker you freed, or put it back';
  if (turn.stagedSum > 0) return `${turn.stagedSum} of ${turn.openingMin} to open`;
  return 'Lay melds, or throw a card';
}
