/* Par and the player's costliest turn, in a worker, so that the page stays responsive. */
import { reportRejections } from '$lib/parts/in-worker';
import { load } from '@rummyd/engine';
import { analyse, gravest, type TurnWeighed } from './analysis';
import { parOf, type Par } from './par';

export interface Costliest {
  /** Number of the hand in the record, from 1. */
  hand: number;
  /** Total number of hands. */
  hands: number;
  turn: TurnWeighed;
}
export interface Compared {
  par: Par | null;
  costliest: Costliest | null;
}

function result<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

reportRejections();

onmessage = async ({ data: { text, seat } }: MessageEvent<{ text: string; seat: number }>) => {
  const engine = await load();
  const hands = engine.record.parse(text);
  const turns = hands.flatMap(({ hand_no, result: ended }, number) =>
    ended
      ? result(analyse(engine, text, number))
          .turns.filter((turn) => turn.seat === seat)
          .map((turn) => ({ hand: hand_no, hands: hands.length, turn }))
      : [],
  );
  const [worst] = gravest(
    turns.map(({ turn }) => turn),
    1,
    seat,
  );
  const costliest = turns.find(({ turn }) => turn === worst) ?? null;
  postMessage({ par: result(parOf(engine, text, seat)), costliest } satisfies Compared);
};
