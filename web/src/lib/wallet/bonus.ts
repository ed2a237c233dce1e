/* The daily bonus, in words. Pure. */
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
  if (bonus.today_amount !== null) {
    const lost = bonus.today_lost ? `, ${bonus.today_lost} of it over the cap` : '';
    said.push(`Last midnight brought ${bonus.today_amount} silver${lost}.`);
  }
  said.push(`The next one brings ${bonus.tomorrow_amount} silver.`);
  const over = bonus.tomorrow_amount - room;
  if (over > 0) said.push(`As your purse is now, ${over} of it would be lost over the cap.`);
  if (!bonus.played_today) said.push('Finish a game today to go on with your streak.');
  return said;
}
