import { type Logger, type Metrics, toAppError } from "@asset-register/runtime";
import { type Metadata, ServerInterceptingCall, type ServerInterceptor } from "@grpc/grpc-js";
import { assertionProblem, GATEWAY } from "./claims.ts";
import type { ServiceIdentity } from "./identity.ts";
import { limitMessages, OPEN_REQUEST_BYTES } from "./message-size.ts";
import { bearerOf, SERVICE_AUTHORIZATION } from "./metadata.ts";
import { durationsOf } from "./observe.ts";
import type { Principal } from "./principal.ts";
import { serviceTokenRefused, statusNameOf, toStatus } from "./status.ts";

/** A method for which a caller needs the identity of a service. */
export type AdmittedMethod = { name: string; audience: string; maxRequestBytes: number };

export type AdmissionOptions = {
  identity: Pick<ServiceIdentity, "verify">;
  /** By path. A method that is not among them is open to everybody: health, and reflection where it is served. */
  methods: ReadonlyMap<string, AdmittedMethod>;
  logger: Logger;
  metrics: Metrics;
};

export type Admission = {
  interceptor: ServerInterceptor;
  /** The caller of an admitted call. */
  callerOf(metadata: Metadata): Principal;
};

const ANONYMOUS: Principal = { kind: "anonymous" };
/** Anybody who reaches the port can be refused, so a line for each refusal could fill a disk. */
const LOG_EVERY_MS = 60_000;

/**
 * Admits the calls of services that this server trusts. It reads the tokens in the metadata, before any message: a
 * refused call costs no memory. A message that is larger than its method allows is refused by its length.
 */
export function createAdmission({ identity, methods, logger, metrics }: AdmissionOptions): Admission {
  const observe = durationsOf(metrics, "rpc_server_call_duration_seconds");
  const callers = new WeakMap<Metadata, Principal>();
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  async function identify({ audience }: AdmittedMethod, metadata: Metadata): Promise<Principal> {
    const own = bearerOf(metadata, SERVICE_AUTHORIZATION);
    if (own === undefined) throw serviceTokenRefused("the call has no token of a service");
    const service = await identity.verify(own, audience);
    if (service.kind !== "service") throw serviceTokenRefused("the token is not that of a service");
    const token = bearerOf(metadata, "authorization");
    if (token === undefined) {
      if (service.name === GATEWAY) return ANONYMOUS;
      throw serviceTokenRefused(`${service.name} may not call for anonymous users`);
    }
    const principal = await identity.verify(token, audience);
    const problem = assertionProblem(service.name, principal);
    if (problem !== undefined) throw serviceTokenRefused(problem);
    return principal;
  }

  function logRefusal(rpc: string, peer: string, error: unknown): void {
    refused += 1;
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    logger.warn({ rpc, peer, refused, error }, "calls refused: they have no valid token of a service");
    refused = 0;
    loggedAt = performance.now();
  }

  return {
    interceptor: ({ path }, call) => {
      const method = methods.get(path);
      limitMessages(call, method?.maxRequestBytes ?? OPEN_REQUEST_BYTES);
      if (method === undefined) return new ServerInterceptingCall(call);
      const startedAt = performance.now();
      return new ServerInterceptingCall(call, {
        start: (next) =>
          next({
            onReceiveMetadata: (metadata, admit) => {
              identify(method, metadata).then(
                (principal) => {
                  callers.set(metadata, principal);
                  admit(metadata);
                },
                (cause: unknown) => {
                  const error = toAppError(cause);
                  observe(method.name, statusNameOf(error), startedAt);
                  logRefusal(method.name, call.getPeer(), error);
                  call.sendStatus(toStatus(error));
                },
              );
            },
          }),
      });
    },
    callerOf: (metadata) => {
      const principal = callers.get(metadata);
      if (principal === undefined) throw new Error("The call was not admitted.");
      return principal;
    },
  };
}
