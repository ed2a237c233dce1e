/* Tournaments that an operator announces. */
import { randomUUID } from 'node:crypto';

/** Returns its id. body: as in the contract (makeTournament). */
export async function announced(platform, key, body) {
  const response = await fetch(`${platform.url}/v1/admin/tournaments`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${key}`,
      'Idempotency-Key': randomUUID(),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`no tournament: ${response.status} ${await response.text()}`);
  return (await response.json()).id;
}
