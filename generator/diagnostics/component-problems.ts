/** CMS22xx: components and dynamic zones. */
import { define, type Named, quote } from "./problem.ts";

export const componentProblems = {
  danglingComponent: define(
    "CMS2201",
    "error",
    "An attribute names a component that does not exist.",
    ({ attribute, component }: Named & { component: string }) =>
      `attribute ${quote(attribute)} names the component ${quote(component)}, which does not exist`,
  ),
  componentCircle: define(
    "CMS2202",
    "error",
    "A component contains itself.",
    ({ circle }: { circle: readonly string[] }) => `this component contains itself: ${circle.join(" > ")}`,
  ),
  emptyZone: define(
    "CMS2203",
    "warning",
    "A dynamic zone lists no components. It is always empty.",
    ({ attribute }: Named) => `the dynamic zone ${quote(attribute)} lists no components: nothing can be put into it`,
  ),
  repeatedComponent: define(
    "CMS2204",
    "warning",
    "A dynamic zone lists a component twice.",
    ({ attribute, component }: Named & { component: string }) =>
      `the dynamic zone ${quote(attribute)} lists ${quote(component)} twice`,
  ),
};
