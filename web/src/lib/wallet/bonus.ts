/* The daily bonus, in words. Pure. */
import { say } from '$lib/messages/messages';
import type { components } from '@rummyd/client';

export type Bonus = components['schemas']['Bonus'];
type Wallet = components['schemas']['Wallet'];

/** How much silver the purse can still take. The cap includes chips held at tables. */
export function silverRoom(wallet: Pick<Wallet, 'silver' | 'silver_cap' | 'holds'>): number {
  return wallet.holds.reduce((room, hold) => room - hold.silver, wallet.silver_cap - wallet.silver);
}

/** The daily bonus in sentences; `room`: how much silver the purse can still take. */
export function bonusSaid(bonus: Bonus, room: number): string[] {
  const said: string[] = [];
  if (bonus.today_amount !== null)
    said.push(
      bonus.today_lost
        ? say('bonus.last.full', { n: bonus.today_amount - bonus.today_lost })
        : say('bonus.last', { n: bonus.today_amount }),
    );
  said.push(say('bonus.next', { n: bonus.tomorrow_amount }));
  if (room < bonus.tomorrow_amount) said.push(say('bonus.room', { n: Math.max(0, room) }));
  if (!bonus.played_today) said.push(say('bonus.streak_on'));
  return said;
}
