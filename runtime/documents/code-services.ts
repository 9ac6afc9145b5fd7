/** Adds what application code needs to the services: the document service, and transactions. */
import type { Transaction } from "../database/database.ts";
import { createDb, type Db } from "../database/drizzle.ts";
import { createPart } from "../database/part.ts";
import { createDocuments } from "./create-documents.ts";
import type { TransactionTools } from "./hooks.ts";
import { runTasks } from "./operations/after.ts";
import type { OperationServices, Task } from "./operations/context.ts";
import { untilDone } from "./operations/transaction.ts";

/** The services before the document service is added. */
export type Foundation = Omit<OperationServices, "db" | "documents" | "transaction" | "inUnit">;

/** Tasks that follow from the writes of one transaction, and wait for its commit. */
interface Later {
  add(tasks: readonly Task[]): void;
  /**
   * Passes the waiting tasks on. Tasks that are added later, by writes that the code has not awaited, are passed on at
   * once.
   */
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

/** Runs `work` once in a transaction that has already begun. */
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
  db: services.db,
  services,
});

/** The services together with the document service and transactions. */
export const withDocuments = <Given extends Foundation>(given: Given): Given & OperationServices => {
  let db: Db | undefined;
  const services: Given & OperationServices = {
    ...given,
    get db() {
      return (db ??= createDb(given.database));
    },
    documents: (uid) => createDocuments(services)(uid),
    inUnit: (work) => inUnitOf(services)(work),
    transaction: (work) => services.inUnit(async (inside) => work(toolsOf(inside))),
  };
  return services;
};
