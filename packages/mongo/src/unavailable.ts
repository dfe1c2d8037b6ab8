import { AppError, timedOut, unavailable } from "@asset-register/runtime";
import mongoose, { type mongo } from "mongoose";
import { ruleOf } from "./guard/method-rules.ts";
import { askWithin, currentLimits } from "./query-limits.ts";

/** Temporary errors of the driver: the same call may succeed later. */
const names = new Set([
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoServerSelectionError",
  "MongooseServerSelectionError",
  "MongoOperationTimeoutError",
  "MongoWaitQueueTimeoutError",
  "MongoPoolClearedError",
  "MongoPoolClosedError",
  "MongoPoolClearedOnNetworkError",
  "PoolClearedOnNetworkError",
  "MongoStalePrimaryError",
  "MongoNotConnectedError",
  "MongoTopologyClosedError",
  "MongoClientClosedError",
  "MongoServerClosedError",
  "MongoExpiredSessionError",
]);

/** The server ended a query: MaxTimeMSExpired, or Interrupted, which it reports for some queries at their maxTimeMS. */
const ended: ReadonlySet<unknown> = new Set([50, 11601]);

/** Codes of Node's sockets. The driver does not wrap the error of a connection that ends during a write. */
const socketCodes = new Set([
  "EPIPE",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
  "ERR_SOCKET_CLOSED",
]);

/** Temporary errors of the server, see https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml */
const codes = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  64, // WriteConcernFailed: not on a majority of the replicas yet
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  202, // NetworkInterfaceExceededTimeLimit
  225, // TransactionTooOld
  246, // SnapshotUnavailable
  251, // NoSuchTransaction
  262, // ExceededTimeLimit
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
]);

const labels = [
  "TransientTransactionError",
  "UnknownTransactionCommitResult",
  "RetryableWriteError",
  "ResetPool",
  "SystemOverloadedError",
];

/**
 * Whether an error means that the database is unavailable, busy or too slow, and the call itself is correct. A
 * consumer retries such an error without end instead of sending the event to the dead letters. It also checks
 * the `cause` of the error.
 */
export function isUnavailable(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    if (at instanceof AppError && at.kind === "unavailable") return true;
    if (names.has(at.name)) return true;
    if ("code" in at && isBusyCode(at.code)) return true;
    if (at instanceof mongoose.mongo.MongoError && labels.some((label) => hasLabel(at, label))) return true;
  }
  return false;
}

const isBusyCode = (code: unknown): boolean =>
  (typeof code === "number" && (codes.has(code) || ended.has(code))) ||
  (typeof code === "string" && socketCodes.has(code));

const hasLabel = (error: mongo.MongoError, label: string): boolean => error.hasErrorLabel(label);

/** Converts a temporary error to AppError `unavailable`. Returns any other error unchanged. */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError || !isUnavailable(error)) return error;
  if (isTimeOut(error)) return timedOut(undefined, error);
  return unavailable("The service is temporarily unavailable. Please try again.", undefined, error);
}

/** Whether the server ended a query at its limit, or our own limit of a transaction was reached. */
function isTimeOut(error: unknown): boolean {
  const { MongoError, MongoOperationTimeoutError } = mongoose.mongo;
  if (error instanceof MongoOperationTimeoutError) return true;
  return error instanceof MongoError && ended.has(error.code);
}

/**
 * Whether the options belong to a transaction. There, errors must reach the driver unchanged: their labels
 * decide whether it runs the callback again. `transaction` converts the remaining errors.
 */
export function inTransaction(options: unknown): options is { session: mongo.ClientSession } {
  if (typeof options !== "object" || options === null || !("session" in options)) return false;
  return options.session instanceof mongoose.mongo.ClientSession && options.session.inTransaction();
}

/** Converts the error of a rejected promise of the driver. Other results pass unchanged. */
export function mapErrors(answer: unknown, options: unknown): unknown {
  if (!(answer instanceof Promise) || inTransaction(options)) return answer;
  return answer.catch((error: unknown) => {
    throw asAppError(error);
  });
}

/** Converts errors of a cursor. Iteration, toArray and streams all use `next`. */
export function mapCursorErrors<C extends mongo.AbstractCursor>(cursor: C, options: unknown): C {
  if (inTransaction(options)) return cursor;
  for (const name of ["next", "hasNext", "tryNext", "explain"]) {
    const method: unknown = Reflect.get(cursor, name);
    if (typeof method !== "function") continue;
    const value = (...args: unknown[]) => mapErrors(Reflect.apply(method, cursor, args), undefined);
    Object.defineProperty(cursor, name, { value });
  }
  return cursor;
}

/**
 * Returns an unguarded collection whose calls fail with AppError `unavailable`, and end at the deadline, like those of
 * guarded ones.
 */
export function withMappedErrors<T extends mongo.BSON.Document>(
  raw: mongo.Collection<T>,
): mongo.Collection<T> {
  return new Proxy(raw, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const rule = typeof name === "string" ? ruleOf(name) : undefined;
      return (...args: unknown[]) => {
        const options = args.find((arg) => typeof arg === "object" && arg !== null && "session" in arg);
        const ask = (given: readonly unknown[]): unknown => Reflect.apply(value, target, given);
        const limits = currentLimits();
        const answer = rule && limits ? askWithin(rule, limits, args, ask) : ask(args);
        if (answer instanceof mongoose.mongo.AbstractCursor) return mapCursorErrors(answer, options);
        return mapErrors(answer, options);
      };
    },
  });
}
