/** Prints a schema as a formatter would leave it. */
import { type GraphQLSchema, Kind, lexicographicSortSchema, parse, print, printSchema } from "graphql";
import { LINE_WIDTH } from "../attributes/text-width.ts";

/** `"""text"""` on three lines. */
const openDescriptions = (sdl: string): string => sdl.replaceAll(/^( *)"""(.+)"""$/gm, '$1"""\n$1$2\n$1"""');

const brokenUnion = (line: string): string =>
  line.replaceAll(/ ([=|]) (\w+)/g, (_, sign: string, name: string) => `${sign === "=" ? " =" : ""}\n  | ${name}`);

/** A field with one argument a line. */
const brokenField = (line: string): string => {
  const [type] = parse(`type T {\n${line}\n}`, { noLocation: true }).definitions;
  const [field] = type?.kind === Kind.OBJECT_TYPE_DEFINITION ? (type.fields ?? []) : [];
  if (!field?.arguments?.length) return line;
  const lines = field.arguments.map((argument) => `    ${print(argument)}`);
  const result = [field.type, ...(field.directives ?? [])].map(print).join(" ");
  return [`  ${field.name.value}(`, ...lines, `  ): ${result}`].join("\n");
};

const broken = (line: string): string => {
  if (line.length <= LINE_WIDTH) return line;
  if (line.startsWith("union ")) return brokenUnion(line);
  return /^ {2}\w+\(/.test(line) ? brokenField(line) : line;
};

/** The schema in its definition language, types and fields sorted by name: the order says nothing about schema files. */
export const printSdl = (schema: GraphQLSchema): string => {
  const sdl = openDescriptions(printSchema(lexicographicSortSchema(schema)));
  // Every other part is a description, whose lines are as they are.
  const parts = sdl.split('"""').map((part, index) => (index % 2 ? part : part.split("\n").map(broken).join("\n")));
  return `${parts.join('"""').trimEnd()}\n`;
};
