/* The player's actions at their table: commands of the protocol, built from the selected cards, and the
 * confirmations that some of them need. */
import { say } from '$lib/messages/messages';
import { isJoker, type Card } from '$lib/cards/cards';
import { part } from '$lib/parts/parts.svelte';
import { prefs } from '$lib/prefs.svelte';
import { arranger } from './arrange';
import { mayCoach } from './coaching';
import type { TableGame } from './game.svelte';
import type { Hint } from './hint';
import {
  discardKind,
  discardOrder,
  layOffEnds,
  proposeMelds,
  swappable,
  type MeldProposal,
} from '$lib/rules/melds';
import type { Command, Emote, End, LegalMove } from '@rummyd/client';
import type { Meld } from './state';

/** A declaration that the page considers invalid, and why. It is made only if the player insists. */
export interface Doubt {
  finish: Card;
  reason: string;
}
export interface Choice {
  title: string;
  options: { label: string; cards: Card[]; run: () => void }[];
  /** Cards to discard: another discard command for them confirms the choice. */
  throws?: readonly Card[];
}

export class Moves {
  choice = $state.raw<Choice | null>(null);
  doubt = $state.raw<Doubt | null>(null);
  hint = $state.raw<Hint | null>(null);

  constructor(private readonly game: TableGame) {}

  private async command(command: Command): Promise<boolean> {
    this.choice = null;
    const done = await this.game.command(command);
    if (done) this.hint = null;
    return done;
  }

  draw(from: 'stock' | 'discard'): Promise<boolean> {
    return this.command({ t: 'draw', d: { from } });
  }

  cancelDraw(): Promise<boolean> {
    return this.command({ t: 'cancel_draw', d: {} });
  }

  /** Takes back a meld of this turn, or puts back a joker that was swapped out in this turn. */
  takeBack(meld?: number): Promise<boolean> {
    return this.command({ t: 'take_back', d: meld === undefined ? {} : { meld } });
  }

  comeBack(): Promise<boolean> {
    return this.command({ t: 'return', d: {} });
  }

  leave(): Promise<boolean> {
    return this.command({ t: 'leave', d: {} });
  }

  speak(text: string): Promise<boolean> {
    return this.command({ t: 'chat', d: { text } });
  }

  emote(name: Emote): Promise<boolean> {
    return this.command({ t: 'emote', d: { name } });
  }

  flip(): Promise<boolean> {
    return this.command({ t: 'flip', d: {} });
  }

  ready(): Promise<boolean> {
    return this.command({ t: 'ready', d: {} });
  }

  rejoin(): Promise<boolean> {
    return this.command({ t: 'rejoin', d: {} });
  }

  drop(): Promise<boolean> {
    return this.command({ t: 'drop', d: {} });
  }

  play(move: LegalMove): Promise<boolean> {
    return this.command({ t: move.t, d: move.d } as Command);
  }

  /* ---- Declaring ---------------------------------------------------------------------------------- */

  /** Declares a valid hand at once; an invalid one only if the player insists, because it costs a lot. */
  declare(finish: Card | null = this.game.hand.finish, sure = false): void {
    if (finish === null) {
      this.game.say(say('moves.choose_finish'), 'info');
      return;
    }
    const { valid, complete, reason } = this.game.judged(finish);
    if (!complete) {
      this.game.say(say('moves.group_all', { reason }), 'info');
      return;
    }
    if (!valid && !sure) {
      this.doubt = { finish, reason };
      return;
    }
    this.doubt = null;
    void this.command({ t: 'declare', d: { groups: this.game.hand.sentGroups(finish), finish } });
  }

  /** Sends the player's grouping as final. */
  saveGroups(): Promise<boolean> {
    return this.command({ t: 'group', d: { groups: this.game.hand.sentGroups(null), done: true } });
  }

  /** Arranges the hand as in the engine's declaration or final grouping; at any other time, as close to a
   * declaration as possible. */
  async arrangeBest(): Promise<void> {
    const { playing, grouping } = this.game;
    const moves = playing || grouping ? await this.game.askLegal() : [];
    const { state } = this.game;
    if (!moves || !state) return;
    const { hand } = state;
    const found = moves.find((m) => m.t === 'declare' || m.t === 'group');
    let { groups = [] } = (found?.d ?? {}) as { groups?: Card[][] };
    if (groups.length === 0 && hand.length > 0) {
      const arrange = await arranger(state);
      if (this.game.state?.hand !== hand) return this.arrangeBest(); // the hand changed while the engine was loading
      ({ groups } = arrange(hand));
    }
    if (groups.length === 0) this.game.say(say('moves.no_group'), 'info');
    else this.game.hand.regroup(groups, hand);
  }

  /* ---- Melding and discarding --------------------------------------------------------------------- */

  proposals(cards: readonly Card[]): MeldProposal[] {
    return proposeMelds(this.game.rules, cards, this.game.opening);
  }

  /** If there is one valid order, the meld is laid at once. If there are several, the player chooses. If
   * there is none, the server gives the reason. */
  lay(cards: readonly Card[]): void {
    const options = this.proposals(cards);
    if (options.length <= 1) {
      void this.layCards(options[0]?.cards ?? [...cards]);
      return;
    }
    this.choice = {
      title: say('choice.which_meld'),
      options: options.map((o) => ({
        label: say('choice.meld', { kind: o.kind, worth: o.worth }),
        cards: o.cards,
        run: () => void this.layCards(o.cards),
      })),
    };
  }

  private async layCards(cards: Card[]): Promise<void> {
    if (await this.command({ t: 'meld', d: { cards } })) this.game.hand.selected = [];
  }

  /** If confirmation is turned on, the first call shows a button; that button or a second call discards. */
  discard(cards: readonly Card[]): void {
    const asked = this.choice?.throws?.join() === cards.join();
    if (prefs.now.confirmThrow && this.game.playing && !asked) this.askToThrow([...cards]);
    else this.throwAway(cards);
  }

  private askToThrow(cards: Card[]): void {
    this.game.note = null; // it would cover the confirmation
    this.choice = {
      title: say('choice.throw', { n: cards.length }),
      options: [{ label: say('choice.throw.yes'), cards, run: () => this.throwAway(cards) }],
      throws: cards,
    };
  }

  private throwAway(cards: readonly Card[]): void {
    const n = this.game.state?.hand.length ?? 0;
    const kind = discardKind(this.game.rules, cards, n);
    const ordered = kind === null ? [...cards] : discardOrder(cards);
    void this.command({ t: 'discard', d: { cards: ordered } });
  }

  /** Swaps or lays off cards that were moved to a meld, one after the other as long as they fit. */
  async bring(cards: readonly Card[], meldId: number): Promise<void> {
    let left = [...cards];
    while (left.length > 0) {
      const meld = this.game.state?.melds.find((m) => m.id === meldId);
      if (!meld) return;
      const card = left.find((c) => this.fits(c, meld)) ?? left[0];
      if (card === undefined || !(await this.bringOne(card, meld))) return;
      left = left.filter((c) => c !== card);
    }
  }

  /** Whether the meld accepts the card, at an end or in place of its joker. */
  fits(card: Card, meld: Meld): boolean {
    const { rules } = this.game;
    return layOffEnds(rules, card, meld).length + swappable(rules, card, meld).length > 0;
  }

  private async bringOne(card: Card, meld: Meld): Promise<boolean> {
    const layOff = (end?: End): Command => ({
      t: 'lay_off',
      d: end ? { card, meld: meld.id, end } : { card, meld: meld.id },
    });
    const swap = (joker: Card): Command => ({ t: 'swap', d: { card, meld: meld.id, joker } });
    const ends = layOffEnds(this.game.rules, card, meld);
    const jokers = swappable(this.game.rules, card, meld).slice(0, 1);
    const ways: { label: string; command: Command }[] = [
      ...jokers.map((j) => ({ label: say('choice.swap'), command: swap(j) })),
      ...ends.map((end) => ({
        label: end === null ? say('choice.complete') : end === 'low' ? say('choice.low') : say('choice.high'),
        command: layOff(end ?? undefined),
      })),
    ];
    const only = ways[0];
    if (ways.length <= 1) return this.command(only?.command ?? layOff());
    this.choice = {
      title: isJoker(card) ? say('choice.joker') : say('choice.card'),
      options: ways.map((w) => ({ label: w.label, cards: [card], run: () => void this.command(w.command) })),
    };
    return false;
  }

  async askHint(): Promise<void> {
    const { hintOf } = await part(() => import('./hint'));
    const moves = await this.game.askLegal();
    const { state, code, watching } = this.game;
    if (!moves || !state) return;
    /* The current hint remains until the new one is ready, because its buttons must not disappear under a
     * finger. */
    const hint = await hintOf(state, moves, mayCoach(state, code, watching) ? 'table' : 'hand');
    this.hint = this.game.state?.v === state.v ? hint : null;
  }

  /** Plays the moves of a hint one after the other. If it is still the player's turn, the next hint
   * follows. */
  async follow(moves: readonly LegalMove[]): Promise<void> {
    for (const move of moves) {
      if (move.t === 'declare') await this.arrangeBest();
      else if (!(await this.play(move))) return;
    }
    if (moves.some(({ t }) => t === 'declare')) this.hint = null;
    else if (this.game.playing) await this.askHint();
  }
}
