/** How strictly generated code compiles, as tsconfig.json options. */
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
