/* Actions on a table. */
import type { Action } from './actions.svelte';
import { REASON } from './fields';
import { api, need, type Schemas } from './operator.svelte';
import { word } from './words';

/** Each player gets back the stake that was held. */
export function cancelAction({ id }: { id: string }, done: (table: Schemas['AdminTable']) => void): Action {
  return {
    needs: 'cancel_table',
    name: 'act.cancel_table',
    about: word('about.cancel_table', { id }),
    grave: true,
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/tables/{table}/cancel', {
          params: { path: { table: id }, header },
          body: body as Schemas['ReasonRequest'],
        }),
      ),
    done,
  };
}
