/* The daily bonus, in words. Pure. */
import { say } from '$lib/messages/messages';
import type { components } from '@rummyd/client';

export type Bonus = components['schemas']['Bonus'];
type Wallet = components['schemas']['Wallet'];

/** For how much silver there is room under the cap: what is held at tables is under it, too. */
export function silverRoom(wallet: Pick<Wallet, 'silver' | 'silver_cap' | 'holds'>): number {
  return wallet.holds.reduce((room, hold) => room - hold.silver, wallet.silver_cap - wallet.silver);
}

/** The daily bonus in sentences; `room` is for how much silver the purse has room. */
export function bonusSaid(bonus: Bonus, room: number): string[] {
  const said: string[] = [];
  if (bonus.today_amount !== null)
    said.push(
      bonus.today_lost
        ? say('bonus.last.lost', { n: bonus.today_amount, lost: bonus.today_lost })
        : say('bonus.last', { n: bonus.today_amount }),
    );
  said.push(say('bonus.next', { n: bonus.tomorrow_amount }));
  const over = bonus.tomorrow_amount - room;
  if (over > 0) said.push(say('bonus.over', { n: over }));
  if (!bonus.played_today) said.push(say('bonus.streak_on'));
  return said;
}
