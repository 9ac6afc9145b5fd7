/** How strictly generated code compiles, in the words of a tsconfig.json. */
export const strictOptions = {
  target: "ES2023",
  module: "nodenext",
  moduleResolution: "nodenext",
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
};
