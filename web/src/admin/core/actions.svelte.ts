/* Actions of an operator as data. A button requests one; a dialog confirms it and shows the result. */
import type { Word } from './words';
import { operator } from './operator.svelte';
import type { Body, Field, Typed } from './form';

export interface Action {
  /** Action that the key must permit. */
  needs: string;
  /** Label of the button and title of the dialog. */
  name: Word;
  /** One sentence on what will happen. */
  about: string;
  /** The action ends or takes something, so its button is red. */
  grave?: boolean;
  fields?: readonly Field[];
  /** Only changed fields are sent; without changes nothing is sent. */
  patch?: boolean;
  /** Performs the action. `once` holds the headers that make it idempotent. */
  run(body: Body, once: { 'Idempotency-Key': string }): Promise<unknown>;
  /** A secret to show once, after success. */
  shows?(result: never): readonly Shown[];
  /** Called after success, for example to reload the list. */
  done?(result: never): void;
}

export interface Shown {
  label: string;
  value: string;
  secret?: boolean;
}

class Acting {
  /** The action requested last. It is kept while its dialog closes, which takes a moment. */
  act = $state.raw<Action | null>(null);
  open = $state(false);
  typed = $state<Typed>({});

  ask(act: Action, typed: Typed): void {
    this.typed = typed;
    this.act = act;
    this.open = true;
  }

  end(): void {
    this.open = false;
  }
}

export const acting = new Acting();

/** The given actions that the key permits. */
export function allowed(actions: readonly Action[]): readonly Action[] {
  return actions.filter((act) => operator.may(act.needs));
}
