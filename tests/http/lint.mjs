// Lints a contract by Redocly's recommended rules, with the copy the type generator of sdk/typescript brings along.
//   node tests/http/lint.mjs openapi.yaml      exit 1 and a line for each problem
import { createRequire } from "node:module";

const require = createRequire(new URL("../../sdk/typescript/package.json", import.meta.url));
const { createConfig, lint } = require("@redocly/openapi-core");

const config = await createConfig({ extends: ["recommended"] });
const problems = await lint({ ref: process.argv[2], config });
for (const problem of problems)
  console.log(`${problem.severity} ${problem.ruleId}: ${problem.message} (${problem.location[0]?.pointer})`);
process.exit(problems.length ? 1 : 0);
