/* Spoken commentary for players who use a screen reader, one line per event. Speech is slow, so the
 * commentary omits the obvious and adds what sighted players can see on the table. Pure. */
import { cardSubject } from '$lib/cards/cards';
import { say } from '$lib/messages/messages';
import { amountSaid } from '$lib/ui/amount';
import type { TableEvent } from '@rummyd/client';
import { isLong, isMyTurn, type TableState } from './state';
import { isYou, nickOf, prompt, wildSentence } from './text';

/** `text` describes the event (text.ts), `state` is the state after it. Empty: not spoken. */
export function readOut(event: TableEvent, state: TableState, text: string): string {
  switch (event.t) {
    case 'drew':
      return event.d.from === 'stock' && !isYou(state, event.seat) ? '' : text;
    case 'discarded':
      return joined(text, cardsLeft(state, event.seat));
    case 'turn':
      return text || starts(state, event.seat, event.d.round);
    case 'scored':
      return scores(state);
    default:
      return text;
  }
}

/** Describes a hand that has just been dealt. */
export function dealtOut(state: TableState): string {
  const { wildCard } = state;
  const wild = wildCard && wildSentence(wildCard, state);
  return joined(say('event.dealt', { n: state.hand.length }), wild, top(state), next(state));
}

/** Describes a table to which the player returns. */
export function standing(state: TableState): string {
  return joined(top(state), next(state));
}

const joined = (...texts: (string | null)[]) => texts.filter(Boolean).join(' ');

function top(state: TableState): string {
  const card = state.discard.at(-1);
  return card ? say('event.on_top', { card: cardSubject(card) }) : '';
}

function next(state: TableState): string {
  if (isMyTurn(state) && state.phase === 'draw') return say('event.turn');
  return (
    starts(state, state.toMove, state.seats.find((s) => s.seat === state.toMove)?.round) || prompt(state)
  );
}

/** Announces who starts a hand. */
function starts(state: TableState, seat: number | null | undefined, round: number | undefined): string {
  if (seat === null || seat === undefined || seat !== state.starter || round !== 1) return '';
  return isYou(state, seat) ? say('event.begin') : say('event.starts', { who: nickOf(state, seat) });
}

/** The card count of an opponent who has opened; before that, all opponents hold the same number. */
function cardsLeft(state: TableState, seat: number | null | undefined): string {
  const one = state.seats.find((s) => s.seat === seat);
  if (!one?.opened || one.cardsN === 0 || isYou(state, one.seat) || state.rules.family === 'declare')
    return '';
  return say('event.cards_left', { n: one.cardsN });
}

/** Once the last seat's score arrives, all scores, starting with the winner's. */
export function scores(state: TableState): string {
  const all = state.result?.scores ?? [];
  if (all.length < state.seats.length) return '';
  const each = (points: (seat: number) => number) =>
    [...all]
      .sort((a, b) => a.place - b.place)
      .map(({ seat }) =>
        say('event.score', {
          you: isYou(state, seat),
          who: nickOf(state, seat),
          points: amountSaid(points(seat)),
        }),
      )
      .join(', ');
  const totals = (seat: number) => state.seats.find((s) => s.seat === seat)?.points ?? 0;
  const hand = (seat: number) => all.find((s) => s.seat === seat)?.points ?? 0;
  const both = [say('event.scores', { scores: each(hand) })];
  if (isLong(state.rules) && state.handNo > 1) both.push(say('event.totals', { totals: each(totals) }));
  return both.join(' ');
}
