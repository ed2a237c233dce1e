// Lints a contract: openapi.yaml with Redocly and Spectral, asyncapi.yaml with Spectral, by all recommended rules and
// our own.
//   node tests/http/lint.mjs openapi.yaml asyncapi.yaml      exit 1 and a line for each problem
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiCore from '@redocly/openapi-core';

const here = dirname(fileURLToPath(import.meta.url));
const problems = [];

// A redirect is this operation's purpose: to a stream, which its description documents.
const redirects = (problem) =>
  problem.ruleId === 'operation-2xx-response' &&
  problem.location[0]?.pointer === '#/paths/~1v1~1events/get/responses';

// Redocly ignores x-webhooks; test_contract.py finds unused components.
const unused = (problem) => problem.ruleId === 'no-unused-components' && problem.message.includes('"Webhook');

async function byRedocly(file) {
  const config = await openapiCore.createConfig({ extends: ['recommended'] });
  for (const problem of (await openapiCore.lint({ ref: file, config })).filter(
    (problem) => !redirects(problem) && !unused(problem),
  ))
    problems.push(`${file}: redocly ${problem.ruleId}: ${problem.message} (${problem.location[0]?.pointer})`);
}

function bySpectral(file) {
  const spectral = join(here, '../../node_modules/.bin/spectral');
  const ruled = join(here, 'spectral.yaml');
  const done = spawnSync(
    spectral,
    ['lint', '--ruleset', ruled, '--format', 'json', '--quiet', '--fail-severity', 'hint', file],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  );
  if (done.status !== 0 && !(done.status === 1 && done.stdout.trim()))
    // a crash exits with 1 and lists no problems
    throw new Error(`spectral ended with ${done.status}: ${done.stderr}`);
  for (const problem of JSON.parse(done.stdout || '[]'))
    problems.push(`${file}: spectral ${problem.code}: ${problem.message} (${problem.path.join('/')})`);
}

for (const file of process.argv.slice(2)) {
  if (file.includes('openapi')) await byRedocly(file);
  bySpectral(file);
}
console.log(problems.join('\n'));
process.exit(problems.length ? 1 : 0);
