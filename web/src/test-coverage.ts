/* Tests only. Collects the V8 coverage of a test file's context, for bench/coverage: RUMMY_V8_COVERAGE
 * names the output folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const folder = process.env['RUMMY_V8_COVERAGE'] ?? '';
const session = new Session();
session.connect();
const post = promisify(session.post.bind(session)) as (
  method: string,
  parameters?: object,
) => Promise<unknown>;
await post('Debugger.enable');
await post('Profiler.enable');
await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

afterAll(async () => {
  const { result } = (await post('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType;
  const ours = result.filter(({ url }) => /\/(web\/src|sdk\/typescript\/src|wasm\/src)\//.test(url));
  const told = await Promise.all(
    ours.map(async ({ scriptId, url, functions }) => {
      const { scriptSource } = (await post('Debugger.getScriptSource', { scriptId })) as {
        scriptSource: string;
      };
      return { path: fileURLToPath(url), source: scriptSource, functions };
    }),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `vitest-${process.pid}-${process.hrtime.bigint()}.json`), JSON.stringify(told));
});
