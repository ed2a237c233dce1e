/* The analysis in a worker, so that the page stays responsive. It gets one hand, reports progress, and ends
 * with the analysis; the page terminates it when it is no longer needed. */
import { reportRejections } from '$lib/parts/in-worker';
import { load } from '@rummyd/engine';
import { analyse } from './analysis';

reportRejections();

onmessage = async ({ data }: MessageEvent<{ text: string; number: number }>) => {
  const steps = analyse(await load(), data.text, data.number);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      postMessage({ analysis: step.value });
      return;
    }
    postMessage({ progress: step.value });
  }
};
