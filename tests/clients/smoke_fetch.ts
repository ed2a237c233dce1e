/* A client of openapi-generator's typescript-fetch with default settings: a guest signs in, reads data,
 * gets an error, and accepts additions from a newer server. URL: the server. */
import { AuthApi, Configuration, RoomsApi, WalletApi } from './fetch/index.js';

const [url = ''] = process.argv.slice(2);

/** Responses of a newer server: one more member in every object. */
const newer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
  const answer = await fetch(input, init);
  if (!answer.headers.get('Content-Type')?.startsWith('application/json')) return answer;
  const more = JSON.parse(await answer.text(), (_, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? { ...value, member_of_tomorrow: { a: [1] } }
      : value,
  );
  return new Response(JSON.stringify(more), { status: answer.status, headers: answer.headers });
};

const anyone = new Configuration({ basePath: url, fetchApi: newer });
const session = await new AuthApi(anyone).enterAsGuest({ guestRequest: {} });
const signedIn = new Configuration({ basePath: url, fetchApi: newer, accessToken: session.accessToken });
const wallet = await new WalletApi(signedIn).getWallet();
const rooms = await new RoomsApi(signedIn).listRooms({});
console.log(JSON.stringify({ player: session.player.id, silver: wallet.silver, rooms: rooms.items.length }));
