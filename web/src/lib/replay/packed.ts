/* A record in the fragment of an address, deflated and encoded in base64url. An embedded viewer has no
 * session with this server, so its link contains the hand. */
import { RECORD_BYTES_MAX } from './saved-record';

const FIRST = '[Rummyd "';

/** The text of one hand, numbered from 0, in a record with several. */
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

/** Reads the stream, or returns null if it is longer than the engine accepts, because a few bytes may
 * unpack to very many. */
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

/** Empty if the text is not a packed record. */
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
