/* Running jobs manually. A job is a chain of steps; a call with the same key resumes it where it
 * stopped. */
import type { Action, Shown } from './actions.svelte';
import { api, need, type Schemas } from './operator.svelte';
import { at } from './times';
import { word, wordOr } from './words';

type Run = Schemas['JobRun'];

/** How many times a run is continued before it is reported as unfinished. */
const STEPS_MAX = 50;

async function toTheEnd(step: () => Promise<Run>): Promise<Run> {
  let run = await step();
  for (let i = 1; !run.done && i < STEPS_MAX; i++) run = await step();
  return run;
}

/** The result of a run as a list of labels and values. */
export function resultOf(run: Run): readonly Shown[] {
  return [
    { label: word('field.state'), value: word(run.done ? 'job.done' : 'job.unfinished') },
    { label: word('field.started'), value: at(run.started_at) },
    ...Object.entries(run.result).map(([name, n]) => ({
      label: wordOr(`count.${name}`, name),
      value: String(n),
    })),
  ];
}

export function runAction(job: string, done: () => void): Action {
  return {
    needs: 'job:run',
    name: 'act.run',
    about: word('about.run', { job }),
    run: (_body, header) =>
      toTheEnd(() => need(api.POST('/v1/admin/jobs/{job}', { params: { path: { job }, header }, body: {} }))),
    shows: resultOf,
    done,
  };
}

export function rolloverAction(done: () => void): Action {
  return {
    needs: 'job:run',
    name: 'act.rollover',
    about: word('about.rollover'),
    grave: true,
    run: (_body, header) =>
      toTheEnd(() => need(api.POST('/v1/admin/seasons/rollover', { params: { header }, body: {} }))),
    shows: resultOf,
    done,
  };
}
