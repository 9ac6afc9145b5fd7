/** What code of the application is given beside the services that it needs: documents, and transactions over them. */
import type { Transaction } from "../database/database.ts";
import { createPart } from "../database/part.ts";
import { createDocuments } from "./create-documents.ts";
import type { TransactionTools } from "./hooks.ts";
import { runTasks } from "./operations/after.ts";
import type { OperationServices, Task } from "./operations/context.ts";
import { untilDone } from "./operations/transaction.ts";

/** Services as they are put together, before there are documents. */
export type Foundation = Omit<OperationServices, "documents" | "transaction" | "inUnit">;

/** What follows from the writes of one run, which waits until that is committed. */
interface Later {
  add(tasks: readonly Task[]): void;
  /** Hands it on, and from now on at once what comes yet: of writes that nobody has waited for. */
  passOn<Done>(take: (tasks: readonly Task[]) => Done): Done;
}

const createLater = (): Later => {
  const waiting: Task[] = [];
  let passed: ((tasks: readonly Task[]) => unknown) | undefined;
  return {
    add: (tasks) => void (passed ? passed(tasks) : waiting.push(...tasks)),
    passOn(take) {
      passed = take;
      return take(waiting);
    },
  };
};

/** One run of `work` in a transaction that has begun. */
const runUnit = <Result>(
  services: OperationServices,
  session: Transaction,
  work: (services: OperationServices) => Promise<Result>,
  later: Later,
): Promise<Result> => {
  const part = createPart(services.database.kind, session, { isOver: false });
  const inside = withDocuments({
    ...services,
    database: part.database,
    unit: { outside: services.unit?.outside ?? services, afterwards: later.add },
  });
  return part.run(() => work(inside));
};

const inUnitOf =
  (services: OperationServices): OperationServices["inUnit"] =>
  async (work) => {
    let later = createLater();
    const result = await untilDone(services, (session) => runUnit(services, session, work, (later = createLater())));
    if (services.unit) later.passOn(services.unit.afterwards);
    else await later.passOn((tasks) => runTasks(services, tasks));
    return result;
  };

const toolsOf = (services: OperationServices): TransactionTools => ({
  documents: services.documents,
  database: services.database,
  services,
});

/** Services with the document service, and with transactions. */
export const withDocuments = <Given extends Foundation>(given: Given): Given & OperationServices => {
  const services: Given & OperationServices = {
    ...given,
    documents: (uid) => createDocuments(services)(uid),
    inUnit: (work) => inUnitOf(services)(work),
    transaction: (work) => services.inUnit(async (inside) => work(toolsOf(inside))),
  };
  return services;
};
