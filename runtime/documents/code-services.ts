/** What code of the application is given beside the services that it needs: documents, and transactions over them. */
import type { Transaction } from "../database/database.ts";
import { partialDatabase } from "../database/part.ts";
import { runInScope, type Scope } from "../database/scope.ts";
import { createDocuments } from "./create-documents.ts";
import type { TransactionTools } from "./hooks.ts";
import { runTasks } from "./operations/after.ts";
import type { OperationServices, Task } from "./operations/context.ts";
import { untilDone } from "./operations/transaction.ts";

/** Services as they are put together, before there are documents. */
export type Foundation = Omit<OperationServices, "documents" | "transaction" | "inUnit">;

/** One run of `work` in a transaction that has begun; what follows from its writes waits in the list that it is given. */
const runUnit = <Result>(
  services: OperationServices,
  session: Transaction,
  work: (services: OperationServices) => Promise<Result>,
  tasks: Task[],
): Promise<Result> => {
  const scope: Scope = { isOver: false };
  const inside = withDocuments({
    ...services,
    database: partialDatabase(services.database.kind, session, scope),
    unit: { outside: services.unit?.outside ?? services, afterwards: (more) => void tasks.push(...more) },
  });
  return runInScope(scope, () => work(inside));
};

const inUnitOf =
  (services: OperationServices): OperationServices["inUnit"] =>
  async (work) => {
    let tasks: Task[] = [];
    const result = await untilDone(services, (session) => runUnit(services, session, work, (tasks = [])));
    if (services.unit) services.unit.afterwards(tasks);
    else await runTasks(services, tasks);
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
