export { type BackoffOptions, backoff, retryForever, sleep } from "./backoff.ts";
export { createBatchedReads } from "./batched-reads.ts";
export { createBatcher } from "./batcher.ts";
export { batches } from "./batches.ts";
export { endOfDay, isCalendarDate, localDate, localDateIn } from "./calendar.ts";
export {
  type Certificates,
  type CertificateWatch,
  createCertificateWatch,
  type Tls,
} from "./certificates.ts";
export { type Change, changesBetween, changesTo, withDefined } from "./changes.ts";
export { isCheckedCode, newCheckedCode } from "./checked-code.ts";
export { checkedText, isCheckedText } from "./checked-text.ts";
export { inChunks } from "./chunks.ts";
export { type Address, baseSettings, ConfigError, isProduction, loadConfig, settings } from "./config.ts";
export { type CsvCell, csvChunks, csvLine, guardCell, unguardCell } from "./csv.ts";
export { currentDeadline, runShared, runWithDeadline, runWithoutDeadline } from "./deadline.ts";
export {
  AppError,
  type AppErrorInit,
  changedMeanwhile,
  conflict,
  type ErrorKind,
  exhausted,
  type FieldViolation,
  forbidden,
  invalid,
  notFound,
  precondition,
  requireFound,
  requireRev,
  timedOut,
  toAppError,
  unauthenticated,
  unavailable,
  unknownReferences,
} from "./errors.ts";
export { createHealthServer, type HealthServer } from "./health.ts";
export { deterministicId, isId, lowestId, newId, timeOfId } from "./ids.ts";
export {
  type AddressBlock,
  type ClientNetwork,
  clientNetworks,
  normalAddress,
  parseAddressBlock,
} from "./ip-address.ts";
export { repeatsName } from "./json-names.ts";
export { createKeyedBatcher } from "./keyed-batcher.ts";
export { createKeyedMutex, type KeyedMutex } from "./keyed-mutex.ts";
export {
  createKeyring,
  type Keyring,
  type KeyringSetting,
  keyringSchema,
  MissingKeyError,
  type Sealed,
  type SealedPlace,
} from "./keyring.ts";
export { type App, runApp } from "./lifecycle.ts";
export { createLogger, type Logger, type LoggerOptions } from "./logger.ts";
export { hasLoneSurrogate } from "./lone-surrogates.ts";
export { createMetrics, DURATION_BUCKETS, type Metrics } from "./metrics.ts";
export {
  currencyDigits,
  formatMoney,
  isCurrency,
  moneyNumber,
  parseMoney,
  scaleMoney,
  sumMoney,
} from "./money.ts";
export { createPauses } from "./pauses.ts";
export { publicUrlSetting, withPublicUrl } from "./public-url.ts";
export { createRecent } from "./recent.ts";
export { queryPrefixes, searchTokens } from "./search-tokens.ts";
export { createSharedReads } from "./shared-reads.ts";
export { snakeCase } from "./snake-case.ts";
export { type StopPhase, stopInOrder } from "./stop-in-order.ts";
export { lengthOf } from "./text-length.ts";
export { formatInstant, parseInstant } from "./time.ts";
export {
  type Attributes,
  activeTracer,
  type Context,
  extractTraceparent,
  failSpan,
  injectTraceparent,
  type Span,
  SpanKind,
  SpanStatusCode,
  startTracing,
  type Tracer,
  type TracingOptions,
  withSpan,
} from "./tracing.ts";
export { escapeHtml, oneLine } from "./user-text.ts";
export { endsWithin } from "./within.ts";
