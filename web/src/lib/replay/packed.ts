/* A record in the fragment of an address: deflated, in base64url. A frame in another page has no session with
 * this server, so its link contains the hand. */
import { RECORD_BYTES_MAX } from './saved-record';

const FIRST = '[Rummyd "';

/** The hand of this number, from 0, from a record of several. */
export function handText(record: string, number: number): string {
  const starts = [...record.matchAll(/^\[Rummyd "/gm)].map((m) => m.index);
  return record.slice(starts[number] ?? 0, starts[number + 1] ?? record.length);
}

function throughOf(
  bytes: Uint8Array,
  way: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array> {
  return new Blob([bytes as BlobPart])
    .stream()
    .pipeThrough(way as ReadableWritablePair<Uint8Array, BufferSource>);
}

/** No more than the engine reads, because a few bytes may unpack to very many. null: more. */
async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let n = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    n += part.value.length;
    if (n > RECORD_BYTES_MAX) {
      await reader.cancel();
      return null;
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

export async function packRecord(text: string): Promise<string> {
  const bytes = await bytesOf(
    throughOf(new TextEncoder().encode(text), new CompressionStream('deflate-raw')),
  );
  const letters = Array.from(bytes ?? [], (byte) => String.fromCharCode(byte)).join('');
  return `r=${btoa(letters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')}`;
}

/** Empty: not a packed record. */
export async function unpackRecord(packed: string): Promise<string> {
  if (!/^r=[\w-]+$/.test(packed)) return '';
  try {
    const letters = atob(packed.slice(2).replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(
      (await bytesOf(throughOf(bytes, new DecompressionStream('deflate-raw')))) ?? undefined,
    );
    return text.startsWith(FIRST) ? text : '';
  } catch {
    return '';
  }
}
