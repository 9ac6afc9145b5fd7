/** CMS22xx: components and dynamic zones. */
import { error, warning } from "./problem.ts";

export const componentProblems = {
  danglingComponent: error(
    "CMS2201",
    "An attribute names a component that does not exist.",
    "attribute {attribute} names the component {component}, which does not exist",
  ),
  componentCircle: error("CMS2202", "A component contains itself.", "this component contains itself: {=circle}"),
  emptyZone: warning(
    "CMS2203",
    "A dynamic zone lists no components. It is always empty.",
    "the dynamic zone {attribute} lists no components: nothing can be put into it",
  ),
  repeatedComponent: warning(
    "CMS2204",
    "A dynamic zone lists a component twice.",
    "the dynamic zone {attribute} lists {component} twice",
  ),
};
