/** Settings of the audit log. */
import { z } from "zod";

/** With them, even as `{}`, the database gets the table of the audit log. */
export const auditConfig = z
  .strictObject({
    /** Days for which entries are kept. */
    days: z.number().positive().default(365),
  })
  .optional();

export type AuditConfig = NonNullable<z.output<typeof auditConfig>>;
