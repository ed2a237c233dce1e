/* The rules engine as WebAssembly (wasm/README.md): for replays, hints, practice, and checks. It is not in
 * the initial bundles. The first use loads it, and all callers share one engine. */
import type { Engine } from '@rummyd/engine';
import { parts } from '$lib/parts/parts.svelte';

let loading: Promise<Engine> | null = null;
let failed = false;

/** Rejects if loading fails; the next call retries. */
export function theEngine(): Promise<Engine> {
  loading ??= import('@rummyd/engine')
    .then(({ load }) => load())
    .then((engine) => {
      failed = false;
      return engine;
    })
    .catch((error: unknown) => {
      loading = null;
      parts.lost(failed);
      failed = true;
      throw error;
    });
  return loading;
}
