/* Habits in a worker, so that the page stays responsive: takes a record, returns the cost of each of its
 * hands. */
import { reportRejections } from '$lib/parts/in-worker';
import { load, type Engine } from '@rummyd/engine';
import { habitsOf, sumOf, type GameCosts } from './habits';

export interface Asked {
  text: string;
  seat: number;
}
/** null: this record cannot be judged. */
export type Judged = GameCosts | null;

let loading: Promise<Engine> | null = null;

function judge(engine: Engine, { text, seat }: Asked): Judged {
  try {
    const steps = habitsOf(engine, text, seat);
    for (;;) {
      const step = steps.next();
      if (step.done) return sumOf(step.value);
    }
  } catch {
    return null;
  }
}

reportRejections();

onmessage = async ({ data }: MessageEvent<Asked>) => {
  loading ??= load();
  postMessage(judge(await loading, data));
};
