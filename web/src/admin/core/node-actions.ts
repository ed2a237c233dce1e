/* Actions on nodes: moving tables to other nodes during play. */
import type { Action, Shown } from './actions.svelte';
import { api, need, type Schemas } from './operator.svelte';
import { word } from './words';

type Node = Schemas['AdminNode'];
type Once = { 'Idempotency-Key': string };

const pathOf = (node: Node, header: Once) => ({ params: { path: { node: node.name }, header }, body: {} });

/** A draining node gets the action that cancels it, any other live node the one that starts it; a dead node
 * gets none. */
export function nodeActions(node: Node): readonly Action[] {
  if (!node.alive) return [];
  return node.drain ? [undrainAction(node)] : [drainAction(node)];
}

function drainAction(node: Node): Action {
  return {
    needs: 'drain_node',
    name: 'act.drain_node',
    about: word('about.drain_node', { node: node.name }),
    grave: true,
    run: (_body, header) => need(api.POST('/v1/admin/nodes/{node}/drain', pathOf(node, header))),
    shows: (now: Node) => shownOf(now, word('done.drain_node', { n: now.tables })),
  };
}

function undrainAction(node: Node): Action {
  return {
    needs: 'undrain_node',
    name: 'act.undrain_node',
    about: word('about.undrain_node', { node: node.name }),
    run: (_body, header) => need(api.POST('/v1/admin/nodes/{node}/drain/undo', pathOf(node, header))),
    shows: (now: Node) => shownOf(now, word('done.undrain_node')),
  };
}

const shownOf = (node: Node, what: string): readonly Shown[] => [
  { label: word('field.node'), value: node.name },
  { label: word('field.what'), value: what },
];

export function rebalanceAction(): Action {
  return {
    needs: 'rebalance_nodes',
    name: 'act.rebalance_nodes',
    about: word('about.rebalance_nodes'),
    run: (_body, header) => need(api.POST('/v1/admin/nodes/rebalance', { params: { header }, body: {} })),
    shows: ({ tables }: Schemas['AdminRebalance']) => [
      { label: word('field.what'), value: word('done.rebalance_nodes', { n: tables }) },
    ],
  };
}
