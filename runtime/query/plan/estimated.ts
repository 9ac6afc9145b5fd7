/** Which statements PostgreSQL estimates before they run. */
import type { Condition, Shape } from "../query.ts";

/** How many times the condition goes through a relation to many documents. */
const manyIn = (condition: Condition): number => {
  switch (condition.kind) {
    case "related":
      return (condition.many === true ? 1 : 0) + manyIn(condition.item);
    case "not":
      return manyIn(condition.item);
    case "and":
    case "or":
      return condition.items.reduce((sum, item) => sum + manyIn(item), 0);
    default:
      return 0;
  }
};

/** Whether a list sorts through a relation to many documents, or filters through several. */
export const isEstimated = ({ filters, sort }: Pick<Shape, "filters" | "sort">): boolean =>
  sort.some(({ path }) => path.some(({ many }) => many === true)) || (filters !== undefined && manyIn(filters) > 1);
