/* Pairs of players who keep meeting, as in the collusion report. Pure. */
import type { Schemas } from './operator.svelte';
import { word } from './words';

export type Pair = Schemas['Collusion']['items'][number];
type Throws = Schemas['CollusionThrows'];

/** Operators should review the games of pairs at or above this value (docs/operations.md, "Who feeds
 * whom"). */
const EXCESS_TO_LOOK_AT = 5;

export const pairIdOf = (pair: Pair): string => pair.players.map((player) => player.id).join('-');
export const pairNameOf = (pair: Pair): string => pair.players.map((player) => player.id).join(' – ');
export const isStrange = (excess: number | null): boolean => excess !== null && excess >= EXCESS_TO_LOOK_AT;

/** A number of standard deviations; a dash if there is too little data. */
export const excessSaid = (excess: number | null): string => excess?.toFixed(1) ?? '–';

/** "24 of 110 chances". */
export const ofChances = ({ taken, chances }: { taken: number; chances: number }): string =>
  word('collusion.of_chances', { taken, chances });

/** Links between the two accounts besides their games; a dash if there are none. */
export function tiesSaid({
  players,
  invitations,
  shared_device: device,
  shared_address: address,
}: Pair): string {
  const { inviter, state, common_inviter: common, chain } = invitations;
  const invited = players.find((player) => player.id !== inviter)?.id ?? '';
  const ties = [
    inviter === null ? '' : word('collusion.invited', { inviter, invited, state: state ?? '' }),
    invitations.only_together ? word('collusion.only_together', { inviter: inviter ?? '', invited }) : '',
    common === null ? '' : word('collusion.common_inviter', { common }),
    chain > 1 ? word('collusion.chain', { chain }) : '',
    device ? word('collusion.shared_device') : '',
    address ? word('collusion.shared_address') : '',
  ].filter((tie) => tie !== '');
  return ties.join('; ') || '–';
}

export interface Bar {
  label: string;
  /** Percentage of draws; null: unknown. */
  percent: number | null;
  about: string;
  tone: 'bad' | 'own' | '';
}

/** How often one took the other's discards, next to the usual rate. */
export function barsOf(throws: Throws): readonly Bar[] {
  const beside = (label: string, excess: number | null) =>
    word('collusion.above', { what: label, z: excessSaid(excess) });
  const { bots, to_others: toOthers, from_others: fromOthers } = throws;
  return [
    {
      label: word('collusion.took', { from: throws.from, to: throws.to }),
      percent: throws.taken_percent,
      about: ofChances(throws),
      tone: isStrange(throws.excess) ? 'bad' : 'own',
    },
    {
      label: word('collusion.bots'),
      percent: bots.taken_percent,
      about: beside('', bots.excess).trim(),
      tone: '',
    },
    {
      label: word('collusion.to_others', { from: throws.from }),
      percent: toOthers.taken_percent,
      about: beside(ofChances(toOthers), toOthers.excess),
      tone: '',
    },
    {
      label: word('collusion.from_others', { to: throws.to }),
      percent: fromOthers.taken_percent,
      about: beside(ofChances(fromOthers), fromOthers.excess),
      tone: '',
    },
  ];
}
