/* A second opinion on a deal: the game engine deals the hand again. deal.ts does the same independently with
 * WebCrypto, so that no one has to trust either. */
import type { Card } from '$lib/cards/cards';
import { theEngine } from '$lib/engine/engine';
import type { Rules } from '$lib/rules/rules';
import type { Fairness } from '@rummyd/client';
import type { Dealt, Engine } from '@rummyd/engine';

/** The hand's number in a session and, for a later hand, its starter and the seats that were out. */
export interface HandSetting {
  rules: Rules;
  starter: number | null;
  out: readonly number[];
}

/** Only the rule parameters; a row of the page has additional members. */
function tableOf(engine: Engine, rules: Rules, players: number) {
  const row = engine.variants.find(({ variant }) => variant === rules.variant)?.params ?? {};
  const said = Object.entries(rules).filter(([name, value]) => name in row && typeof value === 'number');
  return { variant: rules.variant, players, params: Object.fromEntries(said) as Record<string, number> };
}

function sameHands(dealt: Dealt, hands: readonly (readonly Card[])[]): boolean {
  return dealt.hands.every((cards, seat) => cards.join() === inOrder(cards, hands[seat] ?? []).join());
}

/** These cards in the engine's order, if both contain the same cards. */
function inOrder(listed: readonly Card[], cards: readonly Card[]): readonly Card[] {
  return [...cards].sort((a, b) => listed.indexOf(a) - listed.indexOf(b));
}

/** Whether the engine deals these hands from this starter; null: this browser cannot run the engine. */
export async function engineDeals(
  fair: Fairness,
  setting: HandSetting,
  dealt: { starter: number; hands: readonly (readonly Card[])[] },
): Promise<boolean | null> {
  let engine: Engine;
  try {
    engine = await theEngine();
  } catch {
    return null;
  }
  const later = fair.hand_no > 1;
  const hand = later ? { hand_no: fair.hand_no, starter: dealt.starter, out: setting.out } : { hand_no: 1 };
  try {
    const again = engine.handsOf(tableOf(engine, setting.rules, dealt.hands.length), fair, hand);
    return again.starter === dealt.starter && sameHands(again, dealt.hands);
  } catch {
    return false;
  }
}
