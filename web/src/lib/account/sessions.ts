/* Name of a session: its app and operating system, if known. Pure. */
import { say } from '$lib/messages/messages';
import type { SessionItem } from '$lib/api/client';

export function deviceSaid({ app, system }: Pick<SessionItem, 'app' | 'system'>): string {
  if (app && system) return say('session.device', { app, system });
  return app ?? system ?? say('session.unknown');
}
