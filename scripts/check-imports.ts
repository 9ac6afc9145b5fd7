/** Checks which folder may import which: `npm run imports`. The rules stand in `scripts/import-rules.ts`. */
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { importRules } from "./import-rules.ts";

/** Fewer modules than this means that the check has not found the source. */
const LEAST_MODULES = 20;

const isResult = (output: unknown): output is ICruiseResult =>
  typeof output === "object" && output !== null && "summary" in output;

const { output } = await cruise(
  ["generator", "runtime", "panel/src", "generated", "content-types", "scripts", "test/support"],
  {
    ruleSet: { forbidden: importRules },
    validate: true,
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
);
if (!isResult(output)) throw new Error("dependency-cruiser gave no result");

const { totalCruised, violations } = output.summary;
for (const { rule, from, to } of violations) console.error(`${from} must not import ${to} (${rule.name})`);
if (totalCruised < LEAST_MODULES) console.error(`only ${totalCruised} modules were found`);
if (violations.length > 0 || totalCruised < LEAST_MODULES) process.exitCode = 1;
else console.log(`${totalCruised} modules import what they may`);
