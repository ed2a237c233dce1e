/* The analysis in a thread of its own, so that the page stays smooth. It gets one hand, tells how far it is, and ends
 * with the analysis; whoever has seen enough ends the thread. */
import { load } from '@rummyd/engine';
import { analyse } from './analysis';

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
