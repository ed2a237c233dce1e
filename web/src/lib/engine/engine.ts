/* The rules themselves, as WebAssembly (wasm/README.md): for replays, hints, practice, checks. They are not in the first
 * bundle: who first asks for them fetches them, and everybody has the same engine then. */
import type { Engine } from '@rummyd/engine';

let loading: Promise<Engine> | null = null;

/** Rejects when it cannot be fetched; the next one who asks tries again. */
export function theEngine(): Promise<Engine> {
  loading ??= import('@rummyd/engine')
    .then(({ load }) => load())
    .catch((error: unknown) => {
      loading = null;
      throw error;
    });
  return loading;
}
