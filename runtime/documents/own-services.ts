/**
 * Services of the application's own, which `services` of `app.ts` makes. Say what they are, and every hook, handler and task
 * has them as `services.own`: `declare module "galley-cms" { interface OwnServices { search: Search } }`.
 */
export interface OwnServices {}
