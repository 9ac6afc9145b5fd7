/** Builders that generated `validator.ts` files declare attributes with. */
import type { z } from "zod";

/** How one attribute of a body is checked: in full when it is published, leniently while it is a draft. */
export interface AttributeValidator<Output = unknown> {
  readonly published: z.ZodType<Output>;
  readonly draft: z.ZodType<Output | null>;
}

/** The validators of a content type or component. */
export interface Validator {
  readonly attributes: Readonly<Record<string, AttributeValidator>>;
}
