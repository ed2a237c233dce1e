/* The coach's reasons in words. */
import { cardObject, cardObjects, cardSubject, rankName } from '$lib/cards/cards';
import { say } from '$lib/messages/messages';
import type { Advice, Reason } from './coach';

export function sayReason(reason: Reason): string {
  switch (reason.code) {
    case 'makes':
      return say('coach.makes', { kind: reason.kind, n: reason.cards.length });
    case 'fits_nothing':
      return say('coach.fits_nothing', { card: cardSubject(reason.card) });
    case 'would_oblige':
      return say('coach.would_oblige', { min: reason.min });
    case 'opens':
      return say('coach.opens', { worth: reason.worth });
    case 'lays':
      return say('coach.lays', { kind: reason.kind, worth: reason.worth });
    case 'declares':
      return say('coach.declares');
    case 'puts_back':
      return say('coach.puts_back', { min: reason.min });
    case 'no_partner':
      return say('coach.no_partner', { card: cardObject(reason.card) });
    case 'outs':
      return say('coach.outs', { n: reason.n });
    case 'rank_out':
      return say('coach.rank_out', { rank: rankName(reason.card), n: reason.n });
    case 'counts':
      return say('coach.counts', { n: reason.n });
    case 'leaves':
      return say('coach.leaves', { card: cardSubject(reason.card) });
    case 'lays_off':
      return say('coach.lays_off', { card: cardSubject(reason.card) });
    default:
      return say(`coach.${reason.code}`);
  }
}

/** "Discard the 10 of hearts": the advice. */
export function sayAdvice({ move }: Advice): string {
  const {
    from = '',
    cards = [],
    card = '',
    finish = '',
  } = move.d as {
    from?: string;
    cards?: string[];
    card?: string;
    finish?: string;
  };
  switch (move.t) {
    case 'draw':
      return say('coach.do.draw', { from });
    case 'discard':
      return say('coach.do.discard', { card: cardObjects(cards) });
    case 'meld':
      return say('coach.do.meld');
    case 'lay_off':
      return say('coach.do.lay_off', { card: cardObject(card) });
    case 'declare':
      return say('coach.do.declare', { card: cardObject(finish) });
    case 'flip':
      return say('moves.flip');
    default:
      return say('coach.do.back');
  }
}
