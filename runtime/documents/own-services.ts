/**
 * The application's own services, which `services` in `app.ts` creates. Declare their types, and every hook, handler
 * and task has them as `services.own`: `declare module "galley-cms" { interface OwnServices { search: Search } }`.
 */
export interface OwnServices {}
