/* What an operator can do: acts as data. A button asks for one, a dialog confirms it and shows what came of it. */
import type { Word } from './words';
import { operator } from './operator.svelte';
import type { Body, Field, Typed } from './form';

export interface Act {
  /** The action that the key has to be good for. */
  needs: string;
  /** On the button, and above the dialog. */
  name: Word;
  /** What will happen, in a sentence. */
  about: string;
  /** It ends or takes something: its button is red. */
  grave?: boolean;
  fields?: readonly Field[];
  /** Only what differs is sent; with nothing changed there is nothing to send. */
  patch?: boolean;
  /** Does it. `once` goes into the headers of what counts once. */
  run(body: Body, once: { 'Idempotency-Key': string }): Promise<unknown>;
  /** What is to be read afterwards, as a secret that is shown this once. */
  shows?(result: never): readonly Shown[];
  /** After it is done: the list is read anew, say. */
  done?(result: never): void;
}

export interface Shown {
  label: string;
  value: string;
  secret?: boolean;
}

class Acting {
  /** The one that was asked for last. It stays when its dialog closes, which takes a moment. */
  act = $state.raw<Act | null>(null);
  open = $state(false);
  typed = $state<Typed>({});

  ask(act: Act, typed: Typed): void {
    this.typed = typed;
    this.act = act;
    this.open = true;
  }

  end(): void {
    this.open = false;
  }
}

export const acting = new Acting();

/** What the key may do of these. */
export function allowed(acts: readonly Act[]): readonly Act[] {
  return acts.filter((act) => operator.may(act.needs));
}
