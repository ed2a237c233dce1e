// Lints a contract by Redocly's recommended rules, with the copy the type generator of sdk/typescript brings along.
//   node tests/http/lint.mjs openapi.yaml      exit 1 and a line for each problem
import { createRequire } from "node:module";

const require = createRequire(new URL("../../sdk/typescript/package.json", import.meta.url));
const { createConfig, lint } = require("@redocly/openapi-core");

const config = await createConfig({ extends: ["recommended"] });
// A redirect is what this one is for: to a stream, which its description tells of.
const redirects = (problem) =>
  problem.ruleId === "operation-2xx-response" && problem.location[0]?.pointer === "#/paths/~1v1~1events/get/responses";
const problems = (await lint({ ref: process.argv[2], config })).filter((problem) => !redirects(problem));
for (const problem of problems)
  console.log(`${problem.severity} ${problem.ruleId}: ${problem.message} (${problem.location[0]?.pointer})`);
process.exit(problems.length ? 1 : 0);
