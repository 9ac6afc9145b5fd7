/** Settings of the upload plugin. */
import { textOf, type Value } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { apply, cannotRead, type Rule, settle } from "./rules.ts";
import { expressionOf, keyText, origin } from "./setting.ts";

const S3 = /(?:^|-)aws-s3$/;
const OPTIONS = "config.providerOptions";

/** Where the S3 provider's options are: in version 4 at the top, later below `s3Options`. */
const s3Rules = [OPTIONS, `${OPTIONS}.s3Options`].flatMap((at): readonly Rule[] => [
  [`${at}.region`, "media.s3.region", "text"],
  [`${at}.endpoint`, "media.s3.endpoint", "text"],
  [`${at}.accessKeyId`, "media.s3.accessKeyId", "text"],
  [`${at}.secretAccessKey`, "media.s3.secretAccessKey", "text"],
  [`${at}.credentials.accessKeyId`, "media.s3.accessKeyId", "text"],
  [`${at}.credentials.secretAccessKey`, "media.s3.secretAccessKey", "text"],
  [`${at}.forcePathStyle`, "media.s3.pathStyle", "boolean"],
  [`${at}.s3ForcePathStyle`, "media.s3.pathStyle", "boolean"],
]);

/** Enables the bucket, if there is one: if its name comes from a variable, as soon as that is set. */
const setBucket = (reading: Reading): void => {
  for (const name of ["params.Bucket", "s3Options.params.Bucket"]) {
    const value = reading.take(`${OPTIONS}.${name}`);
    const expression = value ? expressionOf(value, "text") : undefined;
    if (value === undefined || expression === undefined) continue;
    const from = origin(value, name);
    const isSure = value.kind === "literal" || (value.kind === "variable" && value.fallback !== undefined);
    const text = isSure ? expression : `${expression} ?? "not-set"`;
    reading.set("media.provider", isSure ? '"s3"' : `${expression} ? "s3" : "local"`, from);
    return reading.set("media.s3.bucket", text, from);
  }
};

const s3Settings = (reading: Reading, provider: Value): void => {
  setBucket(reading);
  if (!reading.isSet("media.s3.bucket"))
    return reading.leave("config.provider", provider, "its bucket could not be read: set media.provider and media.s3");
  apply(reading, [
    [`${OPTIONS}.baseUrl`, "media.s3.publicUrl", "text"],
    [`${OPTIONS}.rootPath`, "media.s3.prefix", "text"],
    ...s3Rules,
  ]);
};

const providerSettings = (reading: Reading): void => {
  const provider = reading.take("config.provider");
  const name = textOf(provider) ?? "";
  if (provider === undefined || name === "local") return;
  if (S3.test(name)) return s3Settings(reading, provider);
  reading.take(OPTIONS);
  const why = `files are kept in a folder or in S3: for ${name || "others"} write a provider (docs/build/media.md)`;
  reading.leave("config.provider", provider, why);
};

/** Formats, each by its longest side; only numbers are readable. */
const formats = (reading: Reading): void => {
  const from = "config.breakpoints";
  const value = reading.take(from);
  if (value === undefined) return;
  const members: readonly (readonly [string, Value])[] = value.kind === "record" ? [...value.members] : [];
  const sizes = members.map(([name, size]) => [name, expressionOf(size, "number")] as const);
  const isKnown = value.kind === "record" && sizes.every(([, size]) => size !== undefined);
  const expression = isKnown ? `{ ${sizes.map(([name, size]) => `${keyText(name)}: ${size}`).join(", ")} }` : undefined;
  settle(reading, from, value, "media.formats", expression, cannotRead("number"));
};

/** The `upload` settings of `config/plugins`. */
export const uploadSettings = (reading: Reading): void => {
  apply(reading, [
    ["config.sizeLimit", "media.sizeLimit", "bytes"],
    [`${OPTIONS}.sizeLimit`, "media.sizeLimit", "bytes"],
  ]);
  formats(reading);
  apply(reading, [
    ["config.security.allowedTypes", "media.types.allow", "texts"],
    ["config.security.deniedTypes", "media.types.deny", "texts"],
  ]);
  providerSettings(reading);
};
