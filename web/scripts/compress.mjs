/* Compresses the built page: writes FILE.br and FILE.gz next to each text file of dist/ that gets smaller. The server sends
 * them to clients that accept them (server/http/static.c).
 *
 *   node scripts/compress.mjs [FOLDER] */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const FOLDER = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));
const TEXTS = /\.(html|m?js|css|svg|json|map|webmanifest|txt|wasm)$/;
const BYTES_MIN = 256;

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  );
}

function brotli(bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params });
}

function gzip(bytes) {
  return gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });
}

for (const file of files(FOLDER).filter((name) => TEXTS.test(name))) {
  const bytes = readFileSync(file);
  for (const [ending, compress] of [
    ['br', brotli],
    ['gz', gzip],
  ]) {
    const coded = bytes.length < BYTES_MIN ? bytes : compress(bytes);
    if (coded.length < bytes.length) writeFileSync(`${file}.${ending}`, coded);
    else rmSync(`${file}.${ending}`, { force: true });
  }
}
