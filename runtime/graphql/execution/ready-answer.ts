/**
 * Answers queries that need no resolvers below their root fields directly as text. The executor answers all others,
 * and those that are refused before anything is read.
 */
import {
  GraphQLError,
  getVariableValues,
  locatedError,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { Caller } from "../../access/caller.ts";
import { HttpError } from "../../base/errors.ts";
import { Numbers } from "../../base/numbers.ts";
import type { Value } from "../../database/database.ts";
import { Budget } from "../../query/index.ts";
import type { ReadingContext } from "../context.ts";
import type { Arguments, Found } from "../operations/operations.ts";
import { IDENTITY, readRoot } from "../operations/reads.ts";
import { showsForeignScalars } from "../schema/ready.ts";
import { NotReady } from "./object-writer.ts";
import {
  identityVariables,
  prepareQuery,
  queryIn,
  recorded,
  type PreparedField,
  type PreparedQuery,
  type Query,
  type Variables,
} from "./prepared-query.ts";
import { Run } from "./run.ts";

type Execution = Pick<ExecutionArgs, "schema" | "document" | "operationName" | "variableValues"> & {
  readonly contextValue: ReadingContext;
};

/**
 * Limits of the cache of prepared queries, by operation and variables: entries, and bytes of memory for all together.
 * Queries with more text in their variables are prepared every time.
 */
const QUERIES = { max: 1000, maxSize: 16_000_000 };
const LONGEST = 2000;
/** Bytes that an entry takes besides the prepared query. */
const PLACE = 1000;

interface Remembered {
  /** Undefined if only the executor can answer. */
  readonly query: PreparedQuery | undefined;
  readonly consulted: ReadonlyMap<string, boolean>;
}

/** An operation of a document, and those of its variables that only say which document to read. */
interface Known {
  readonly query: Query;
  readonly identities: ReadonlySet<string>;
}

/** Reads and writes the response to a query. */
export type Answering = () => Promise<WrittenResult>;

/** The prepared queries of one server. */
export class ReadyAnswers {
  readonly #operations = new WeakMap<DocumentNode, Map<string, Known>>();
  readonly #numbers = new Numbers();
  readonly #prepared = new LRUCache<string, Remembered>({
    ...QUERIES,
    sizeCalculation: ({ query }, key) => (query?.size ?? 0) + key.length * 2 + PLACE,
  });
  /** Whether answers depend on nothing but the database. */
  readonly #isStorable: boolean;

  /** @param schema the schema that queries run against */
  constructor(schema: GraphQLSchema) {
    this.#isStorable = !showsForeignScalars(schema);
  }

  /** Prepares the response, without reading anything yet; undefined if the executor has to answer. */
  prepare({ schema, document, operationName, variableValues, contextValue }: Execution): Answering | undefined {
    const name = operationName ?? "";
    const known = this.#operation(schema, document, name);
    if (!known) return undefined;
    const { query, identities } = known;
    const { coerced } = getVariableValues(schema, query.operation.variableDefinitions ?? [], variableValues ?? {});
    if (!coerced) return undefined;
    const shaping = Object.entries(coerced).filter(([variable]) => !identities.has(variable));
    const key = this.#answerKey(document, name, contextValue.caller, JSON.stringify(shaping));
    const fields = this.#fieldsOf(key, query, coerced, contextValue);
    if (!fields) return undefined;
    const { readHooks } = contextValue.services;
    const isStorable =
      this.#isStorable && fields.every(({ root }) => !readHooks?.concerned.has(root.declaration.type.uid));
    return async () => {
      const { text, errors } = await answerFields(fields, coerced, contextValue);
      return new WrittenResult(text, errors, isStorable);
    };
  }

  #operation(schema: GraphQLSchema, document: DocumentNode, name: string): Known | undefined {
    let operations = this.#operations.get(document);
    if (operations === undefined) {
      operations = new Map();
      this.#operations.set(document, operations);
    }
    const known = operations.get(name);
    if (known) return known;
    const query = queryIn(schema, document, name === "" ? undefined : name);
    if (!query) return undefined;
    const found = { query, identities: identityVariables(query) };
    operations.set(name, found);
    return found;
  }

  /** Undefined for queries that are not cached. */
  #answerKey(document: DocumentNode, operation: string, caller: Caller, values: string): string | undefined {
    if (values.length > LONGEST) return undefined;
    const { kind, fields, rows } = caller;
    const lists = fields ? this.#numbers.of(fields) : 0;
    return `${this.#numbers.of(document)} ${lists} ${kind} ${operation} ${values} ${rows?.key ?? ""}`;
  }

  #fieldsOf(
    key: string | undefined,
    query: Query,
    variables: Variables,
    context: ReadingContext,
  ): readonly PreparedField[] | undefined {
    const known = key === undefined ? undefined : this.#prepared.get(key);
    if (known && [...known.consulted].every(([action, answer]) => context.caller.can(action) === answer)) {
      return known.query?.fields;
    }
    const { caller, consulted } = recorded(context.caller);
    // If the executor has to answer after all, it starts with a new budget.
    const budget = new Budget(context.services.config);
    const ready = prepared(query, variables, { ...context, caller, budget });
    if (key !== undefined) this.#prepared.set(key, { query: ready, consulted });
    return ready?.fields;
  }
}

/** The executor also reports faults of the query, with their locations. */
const prepared = (...asked: Parameters<typeof prepareQuery>): PreparedQuery | undefined => {
  try {
    return prepareQuery(...asked);
  } catch (error) {
    if (error instanceof NotReady || error instanceof HttpError || error instanceof GraphQLError) return undefined;
    throw error;
  }
};

/** The response of one field, and its errors. */
interface Part {
  /** Undefined if there is no value and the field may not be null. */
  readonly text: string | undefined;
  readonly errors: readonly GraphQLError[];
}

const NO_ROW: readonly Value[] = [];

const answerField = async (
  field: PreparedField,
  variables: Variables,
  reads: SharedReads,
  context: ReadingContext,
): Promise<Part> => {
  const { key, nodes, isRequired, argumentsFor, write } = field;
  const run = new Run(context.size);
  try {
    const { documents, facts } = await reads.of(field, argumentsFor(variables));
    const text = write(run, documents, NO_ROW, facts);
    context.size.add(text.length, [key]);
    return { text, errors: run.errors };
  } catch (error) {
    return { text: isRequired ? undefined : "null", errors: [...run.errors, locatedError(error, nodes, [key])] };
  }
};

const answerFields = async (
  fields: readonly PreparedField[],
  variables: Variables,
  context: ReadingContext,
): Promise<{ readonly text: string; readonly errors: readonly GraphQLError[] }> => {
  const reads = new SharedReads(context);
  const parts = await Promise.all(fields.map((field) => answerField(field, variables, reads, context)));
  const members = fields.map(({ key }, index) => `${JSON.stringify(key)}:${parts[index]?.text}`);
  const isNull = parts.some(({ text }) => text === undefined);
  return {
    text: isNull ? "null" : `{${members.join(",")}}`,
    errors: parts.flatMap(({ errors }) => errors),
  };
};

interface Read {
  readonly field: PreparedField;
  /** The values in which two reads of one plan differ. */
  readonly values: string;
  readonly found: Promise<Found>;
}

export class SharedReads {
  readonly #context: ReadingContext;
  readonly #reads: Read[] = [];

  constructor(context: ReadingContext) {
    this.#context = context;
  }

  /** Reads for a field, or reuses the read of another field that asked for the same. */
  of(field: PreparedField, args: Arguments): Promise<Found> {
    const { prepared, root } = field;
    const { parameters, page } = prepared.checked;
    const values = JSON.stringify([parameters, page, [...IDENTITY].map((name) => args[name])]);
    const known = this.#reads.find(
      (read) => read.field.root === root && read.field.prepared.plan === prepared.plan && read.values === values,
    );
    if (known) return known.found;
    const found = readRoot(root, prepared, args, this.#context);
    this.#reads.push({ field, values, found });
    return found;
  }
}

type Data = Record<string, unknown>;

/** A result whose data is already text, and is parsed only if a plugin looks at it. */
export class WrittenResult implements ExecutionResult<Data> {
  readonly errors?: readonly GraphQLError[];
  readonly extensions?: Data;
  /** Whether it depends on nothing but the database. */
  readonly isStorable: boolean;
  readonly #written: string;
  #data: Data | null | undefined;

  constructor(written: string, errors: readonly GraphQLError[], isStorable: boolean) {
    this.#written = written;
    this.isStorable = isStorable && errors.length === 0;
    if (errors.length > 0) this.errors = errors;
  }

  get data(): Data | null {
    return (this.#data ??= JSON.parse(this.#written) as Data | null);
  }

  /** The data as text, including changes by plugins. */
  get text(): string {
    return this.#data ? JSON.stringify(this.#data) : this.#written;
  }
}
