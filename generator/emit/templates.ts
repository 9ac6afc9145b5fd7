import { precompiledTemplates } from "./precompile.ts";
/** The compiled templates, by name. The build replaces this module by what it evaluates here. */
import type { Views } from "./views.ts";

interface Templates {
  readonly templates: Readonly<Record<keyof Views, TemplateSpecification>>;
  readonly partials: Readonly<Record<string, TemplateSpecification>>;
}

const code = Buffer.from(precompiledTemplates()).toString("base64");
export const { templates, partials }: Templates = await import(`data:text/javascript;base64,${code}`);
