/* The player's last choices per game, and the last room, for the next "Play". */
import type { TableRequest } from '$lib/api/client';
import { load, save } from '$lib/api/storage';
import { VARIANTS, rulesOf } from '$lib/rules/rules';
import type { LobbyTable } from '@rummyd/client';

/** The game played in the rooms. */
export const ROOM_GAME = VARIANTS[0] ?? '';
const FIRST_ROOM = 'desert';

export type Choice = Pick<TableRequest, 'options' | 'bot_level' | 'seats'> & { stake: number };

export function choiceOf(variant: string): Choice {
  const first = { options: {}, seats: rulesOf(variant).players_min, bot_level: 'medium', stake: 0 } as const;
  return { ...first, ...load<Partial<Choice>>(`choice:${variant}`, {}) };
}

export function keepChoice(variant: string, choice: Choice): void {
  save(`choice:${variant}`, choice);
  keepGame(variant);
}

/** The game chosen last; for a newcomer, the game played in the rooms. */
export function lastGame(): string {
  const last = load('choice:game', ROOM_GAME);
  return VARIANTS.includes(last) ? last : ROOM_GAME;
}

export function keepGame(variant: string): void {
  save('choice:game', variant);
}

/** The room chosen last, or the first one if the player can no longer enter that room. */
export function roomOf(unlocked: readonly string[]): string {
  const last = load('choice:room', FIRST_ROOM);
  return unlocked.includes(last) ? last : (unlocked[0] ?? FIRST_ROOM);
}

export function keepRoom(room: string): void {
  save('choice:room', room);
}

/** A private table for the player and a friend, with the last choices. It starts when both have sat down,
 * with bots in the other seats. */
export function withFriend(): TableRequest {
  const variant = lastGame();
  const { options, seats, bot_level } = choiceOf(variant);
  return { variant, options, seats, bot_level, bots: seats - 2, visibility: 'private' };
}

/** A waiting table of another player who wants the same game. */
export function waitingFor(
  variant: string,
  choice: Choice,
  tables: readonly LobbyTable[],
): LobbyTable | undefined {
  return tables.find(
    (t) =>
      t.variant === variant &&
      t.state === 'waiting' &&
      t.room === null &&
      t.stake === choice.stake &&
      t.people > 0 &&
      t.people + t.bots < t.seats,
  );
}

/** The same game, started at once against bots only. */
export function againstBots(variant: string, choice: Choice): TableRequest {
  const { seats, bot_level } = choice;
  const options = { ...choice.options, hand_s: 0 }; // no other human player has to wait
  return { variant, options, seats, bot_level, bots: seats - 1, visibility: 'private' };
}
