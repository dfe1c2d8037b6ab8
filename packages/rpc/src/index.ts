export { accessOf, admits } from "./access.ts";
export { decodeActor, encodeActor } from "./actor.ts";
export type { BreakerOptions } from "./breaker.ts";
export { type Bulkhead, type BulkheadOptions, createBulkhead } from "./bulkhead.ts";
export type { Call, Origin } from "./call.ts";
export type { CallOptions, Trailer } from "./call-options.ts";
export { capabilityNames } from "./capability.ts";
export { type Client, type ClientOptions, createRpcClient } from "./client.ts";
export { toServiceDefinition } from "./definition.ts";
export {
  type Command,
  command,
  type Handlers,
  type Implementation,
  implement,
  type ServerStreamHandler,
  type UnaryHandler,
  type Upload,
  type UploadedContent,
  upload,
} from "./handlers.ts";
export {
  type IdempotencyStore,
  type KeptAnswer,
  type KeptError,
  type KeyedRow,
  REPLAYED,
} from "./idempotency.ts";
export { createServiceIdentity, type ServiceIdentity, type ServiceIdentityOptions } from "./identity.ts";
export { takesIfRev } from "./if-rev.ts";
export type { KeyedCall } from "./keyed-call.ts";
export { decodeInstant, encodeInstants, encodeMoney, minorUnits } from "./message/encode.ts";
export { type EnumNames, enumNames, enumNamesOf } from "./message/enum-names.ts";
export { type Page, type PageQuery, pageInfo, pageRequest } from "./message/page.ts";
export { field, parse } from "./message/parse.ts";
export { type Patch, parsePatch } from "./message/patch.ts";
export { maxRequestBytesOf } from "./message-size.ts";
export {
  type Actor,
  type Capability,
  hasScope,
  holds,
  type OnBehalfOf,
  type Principal,
} from "./principal.ts";
export { createRpcServer, type RpcServer, type RpcServerOptions } from "./server.ts";
export { identityOptions, rpcSettings } from "./settings.ts";
export { fromErrorDetail, NOT_CALLED } from "./status.ts";
export type { Content } from "./upload/incoming-upload.ts";
export type { UploadContent } from "./upload/outgoing-upload.ts";
export { createUpstream, type Upstream, type UpstreamOptions } from "./upstream.ts";
