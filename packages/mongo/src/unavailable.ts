import { AppError, unavailable } from "@asset-register/runtime";
import mongoose, { type mongo } from "mongoose";

/** Errors of the driver that say "not now": the same call may well pass later. */
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

/** Codes of Node's sockets: a connection that ends while it is written to passes the driver unwrapped. */
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

/** The server's codes that say so, by https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml */
const codes = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed: not yet on a majority
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
 * Whether an error means that the database is away, busy or too slow, and not that the call itself is
 * wrong: what a consumer retries for ever instead of calling the message poison. Looks through `cause`.
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
  (typeof code === "number" && codes.has(code)) || (typeof code === "string" && socketCodes.has(code));

const hasLabel = (error: mongo.MongoError, label: string): boolean => error.hasErrorLabel(label);

/** The same error, but as AppError `unavailable` when that is what it says. */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError || !isUnavailable(error)) return error;
  return unavailable("The service is not available at the moment, please try again", undefined, error);
}

/**
 * Inside a transaction errors must reach the driver as they are: their labels decide whether it runs
 * the callback again. `transaction` maps what is left.
 */
function inTransaction(options: unknown): boolean {
  if (typeof options !== "object" || options === null || !("session" in options)) return false;
  return options.session instanceof mongoose.mongo.ClientSession && options.session.inTransaction();
}

/** Maps what a promise of the driver is rejected with. Anything else passes. */
export function mapErrors(answer: unknown, options: unknown): unknown {
  if (!(answer instanceof Promise) || inTransaction(options)) return answer;
  return answer.catch((error: unknown) => {
    throw asAppError(error);
  });
}

/** Maps what reading from a cursor fails with; iteration, toArray and streams all end in `next`. */
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

/** An unguarded collection whose calls fail with AppError `unavailable` as the guarded ones do. */
export function withMappedErrors<T extends mongo.BSON.Document>(
  raw: mongo.Collection<T>,
): mongo.Collection<T> {
  return new Proxy(raw, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const options = args.find((arg) => typeof arg === "object" && arg !== null && "session" in arg);
        const answer: unknown = Reflect.apply(value, target, args);
        if (answer instanceof mongoose.mongo.AbstractCursor) return mapCursorErrors(answer, options);
        return mapErrors(answer, options);
      };
    },
  });
}
