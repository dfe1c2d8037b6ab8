import { AppError } from "@asset-register/runtime";
import { Metadata } from "@grpc/grpc-js";
import type { Call, Origin } from "./call.ts";
import type { ServiceIdentity } from "./identity.ts";
import { SERVICE_AUTHORIZATION, setOrigin, textOf } from "./metadata.ts";
import type { OnBehalfOf, Principal } from "./principal.ts";

export type Trailer = { get(name: string): string | undefined };

/** Options of one call. Without principal, call or onBehalfOf, a service calls for itself. The gateway gives the origin. */
export type CallOptions = Partial<Origin> & {
  /** For the gateway: the caller that it represents. */
  principal?: Principal | undefined;
  /** For a service: the call that causes this one. Its actor, workspace, origin, deadline and signal are passed on. */
  call?: Call | undefined;
  onBehalfOf?: OnBehalfOf | undefined;
  idempotencyKey?: string | undefined;
  /** Sets `if_rev_in` of the request. Ignored if the request has no such field. */
  ifRevIn?: readonly number[] | undefined;
  signal?: AbortSignal | undefined;
  deadlineMs?: number | undefined;
  onTrailer?: ((trailer: Trailer) => void) | undefined;
};

/** The deadline in epoch milliseconds: the own limit, or the deadline of the causing call if that is earlier. */
export function deadlineOf(options: CallOptions, defaultMs: number): number {
  const own = Date.now() + (options.deadlineMs ?? defaultMs);
  return options.call === undefined ? own : Math.min(own, options.call.deadline.getTime());
}

/** The signals that cancel this call. */
export function signalsOf(options: CallOptions): AbortSignal[] {
  const signals = [options.signal, options.call?.signal];
  return signals.filter((signal) => signal !== undefined);
}

export function cancelled(cause: unknown): AppError {
  return new AppError({ kind: "unavailable", code: "CANCELLED", message: "The call was cancelled.", cause });
}

export async function metadataOf(
  identity: ServiceIdentity,
  audience: string,
  options: CallOptions,
  traceparent: string | undefined,
): Promise<Metadata> {
  const metadata = new Metadata();
  const { name } = identity;
  const own = await identity.tokenFor({ kind: "service", name }, audience);
  metadata.set(SERVICE_AUTHORIZATION, `Bearer ${own}`);
  const principal = options.principal ?? ownPrincipal(name, options);
  if (principal.kind !== "anonymous") {
    metadata.set("authorization", `Bearer ${await identity.tokenFor(principal, audience)}`);
  }
  setOrigin(metadata, options, options.call);
  if (options.idempotencyKey !== undefined) metadata.set("idempotency-key", options.idempotencyKey);
  if (traceparent !== undefined) metadata.set("traceparent", traceparent);
  return metadata;
}

export function trailerOf(metadata: Metadata): Trailer {
  return { get: (name) => textOf(metadata, name) };
}

function ownPrincipal(name: string, { call, onBehalfOf }: CallOptions): Principal {
  const behalf = onBehalfOf ?? (call === undefined ? undefined : behalfOf(call));
  return { kind: "service", name, ...(behalf === undefined ? {} : { onBehalfOf: behalf }) };
}

/** The workspace and actor to pass on. A call that a service makes for itself has none. */
function behalfOf({ principal, actor }: Call): OnBehalfOf | undefined {
  if (principal.kind === "user" || principal.kind === "api_key") {
    return { workspaceId: principal.workspaceId, actor };
  }
  return principal.kind === "service" ? principal.onBehalfOf : undefined;
}
