/* How a session is called: by its app and system, as far as they are known. Pure. */
import type { SessionItem } from '$lib/api/client';

export function deviceSaid({ app, system }: Pick<SessionItem, 'app' | 'system'>): string {
  if (app && system) return `${app} on ${system}`;
  return app ?? system ?? 'A device';
}
