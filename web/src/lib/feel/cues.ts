/* Which sound each event of a table has, and how loud it is: other players' actions are quieter than the
 * player's own. Pure. */
import type { TableEvent } from '@rummyd/client';

export const SOUNDS = ['deal', 'draw', 'throw', 'meld', 'turn', 'late', 'win', 'refused'] as const;
export type Sound = (typeof SOUNDS)[number];
export interface Cue {
  sound: Sound;
  quiet: boolean;
}

function soundOf(event: TableEvent, me: number | null): Sound | null {
  switch (event.t) {
    case 'dealt':
      return 'deal';
    case 'drew':
      return 'draw';
    case 'discarded':
      return 'throw';
    case 'melded':
    case 'laid_off':
    case 'swapped':
    case 'opened':
    case 'declared':
      return 'meld';
    case 'turn':
      return me !== null && event.seat === me ? 'turn' : null;
    case 'hand_ended':
      return me !== null && event.d.winner === me ? 'win' : null;
    case 'session_ended':
      return me !== null && event.d.winners.includes(me) ? 'win' : null;
    default:
      return null;
  }
}

/** Sounds for simultaneous events: each sound once, at its highest volume. `me` is null for spectators. */
export function cuesOf(events: readonly TableEvent[], me: number | null): Cue[] {
  const cues: Cue[] = [];
  for (const event of events) {
    const sound = soundOf(event, me);
    if (sound === null) continue;
    const quiet = event.t !== 'dealt' && event.seat !== me && sound !== 'win';
    const known = cues.find((cue) => cue.sound === sound);
    if (known) known.quiet &&= quiet;
    else cues.push({ sound, quiet });
  }
  return cues;
}
