export { connectMongo, type MongoSettings } from "./connect.ts";
export { isContentFailure } from "./content-failure.ts";
export { type CountCache, createCountCache } from "./count-cache.ts";
export { createDatabaseClock, type DatabaseClock } from "./database-clock.ts";
export { isDuplicateKey } from "./duplicate-key.ts";
export { hasErrorCode } from "./error-code.ts";
export type { TenantCollection, TenantDocument } from "./guard/collection.ts";
export { TenantGuardError } from "./guard/tenant-guard-error.ts";
export {
  createIdempotencyStore,
  idempotencyMigration,
  idempotencySealed,
  keepAnswer,
  storeAnswers,
} from "./idempotency.ts";
export { ensureIndexes, type Index } from "./indexes.ts";
export { createLease, type Lease, type LeaseSettings } from "./lease.ts";
export { type ListQuery, listPage } from "./list-page.ts";
export { type ListPart, listParts, type PartsQuery } from "./list-parts.ts";
export { completeWay, type ListPlan, type ListWay, readRows } from "./list-ways.ts";
export { unclaimed } from "./long-work/claims.ts";
export { createReadAhead } from "./long-work/read-ahead.ts";
export type {
  Chunk,
  Effects,
  LongWorkSettings,
  Progress,
  Step,
  StepCall,
  WorkRecord,
  WorkState,
} from "./long-work/record.ts";
export { defineWorkRecords, failureOf, type WorkDocument, type WorkView } from "./long-work/work-records.ts";
export { createLongWork, ensureLongWorkIndexes, type LongWork } from "./long-work.ts";
export { type Migration, migrate, requireMigrated } from "./migrate.ts";
export type { ClientSession, Mongo, TransactionCall } from "./mongo.ts";
export {
  embedded,
  embeddedActor,
  type RecordDefinition,
  type RecordDocument,
  type TenantRecord,
} from "./record-definition.ts";
export {
  defineRecords,
  ensureRecordIndexes,
  type RecordStore,
  type Records,
} from "./records.ts";
export { createIndexRetirement, type RetiredIndexes } from "./retired-indexes.ts";
export { retryOnDuplicateKey } from "./retry-on-duplicate-key.ts";
export { type RewrapOptions, type RewrapProgress, type Rewrapped, rewrap } from "./rewrap.ts";
export { pageOfRows, type RowPlace } from "./row-page.ts";
export { type Leased, type LeasedOptions, LeaseLostError, runLeased } from "./run-leased.ts";
export { type KeyUse, keyIdsInUse, requireKnownKeys, type SealedField } from "./sealed.ts";
export { definedOnly, setOrUnset, timeBetween } from "./set-or-unset.ts";
export { createShardTurns } from "./shard-turns.ts";
export { createSweeper, type Sweep, type Sweeper } from "./sweeper.ts";
export { afterCommit } from "./transaction.ts";
export { asAppError, isUnavailable } from "./unavailable.ts";
