import {
  type Arbitrary,
  array,
  constantFrom,
  dictionary,
  double,
  integer,
  letrec,
  oneof,
  sample,
  string,
  tuple,
} from "fast-check";
import { expect, test } from "vitest";
import { call, type Expression, json } from "../../generator/attributes/expression.ts";
import { memberLine } from "../../generator/attributes/print.ts";
import { emptyFolder } from "../support/cms.ts";
import { checkFormat, writeFiles } from "../support/workspace.ts";

const word = string({ minLength: 0, maxLength: 60, unit: constantFrom(..."abcdefgh  '\"`\\$\n") });
const key = string({ minLength: 1, maxLength: 24, unit: constantFrom(..."abcdefgh_-") });

const { value } = letrec<{ value: unknown }>((tie) => ({
  value: oneof(
    { maxDepth: 4, withCrossShrink: true },
    word,
    integer(),
    double({ noNaN: true, noDefaultInfinity: true }),
    constantFrom(true, false, null),
    array(tie("value"), { maxLength: 6 }),
    array(integer(), { maxLength: 60 }),
    dictionary(key, tie("value"), { maxKeys: 5 }),
  ),
}));

const expression: Arbitrary<Expression> = oneof(
  value.map(json),
  tuple(array(word, { maxLength: 6 }), dictionary(key, value, { maxKeys: 4 })).map(([values, options]) =>
    call("enumeration", json(values), json(options)),
  ),
  tuple(word, dictionary(key, value, { maxKeys: 4 })).map(([name, options]) =>
    call("varchar", json(name), json(options)),
  ),
);

test("the printer lays expressions out as the formatter does", async () => {
  const folder = await emptyFolder();
  const expressions = sample(tuple(key, expression), { numRuns: 400, seed: 20_260_101 });
  const members = expressions.map(([name, value], index) => `  ${memberLine([`${name}${index}`, value], 2)}\n`);
  writeFiles(folder, [["values.ts", `export const values = {\n${members.join("")}};\n`]]);
  const { code, stdout, stderr } = await checkFormat(folder);
  expect({ code, report: `${stdout}${stderr}` }).toMatchObject({ code: 0 });
});
