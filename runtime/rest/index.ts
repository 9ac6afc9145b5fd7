/** What generated `rest.ts` files link against: a router, the permission check, and one handler factory per action. */
export { router } from "./router.ts";
