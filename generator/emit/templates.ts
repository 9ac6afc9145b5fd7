/** The compiled templates, by name. The build replaces this module by what it evaluates here. */
import { precompiledTemplates } from "./precompile.ts";

type Templates = Readonly<Record<"templates" | "partials", Readonly<Record<string, TemplateSpecification>>>>;

const code = Buffer.from(precompiledTemplates()).toString("base64");
export const { templates, partials }: Templates = await import(`data:text/javascript;base64,${code}`);
