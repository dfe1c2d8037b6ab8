import type { Logger } from "@asset-register/runtime";
import type { Metadata } from "@grpc/grpc-js";
import type { KeyedCall } from "./keyed-call.ts";
import { type Actor, actorOf, type Principal, workspaceOf } from "./principal.ts";

/** The request that causes a call. It is the same for all calls that the request causes. */
export type Origin = {
  /** The gateway makes it. A client can't choose it. */
  readonly requestId: string;
  /** The address of the client, in its normal form. Unknown for the work of a service or an operator. */
  readonly clientAddress?: string | undefined;
  /** The X-Request-Id of the client, which anyone can choose. */
  readonly clientRequestId?: string | undefined;
};

/** The call that a handler serves. The handler passes it on to the calls that it makes. */
export type Call = Origin & {
  readonly principal: Principal;
  /** From the credential, never from the payload. Reading it throws unauthenticated if the credential has none. */
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly deadline: Date;
  /** Aborted when the caller cancels or disconnects, or when the deadline passes. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Set while a command runs under an Idempotency-Key. */
  keyed?: KeyedCall | undefined;
  setTrailer?(name: string, value: string): void;
};

type Source = { cancelled: boolean; once(event: "cancelled", listener: () => void): unknown };

export type ServerCallInit = {
  source: Source;
  origin: Origin;
  principal: Principal;
  deadlineMs: number;
  method: string;
  logger: Logger;
  trailer: Metadata;
};

/** A call on the server. Its signal and logger are created on first use, because only some handlers need them. */
export class ServerCall implements Call {
  readonly requestId: string;
  readonly clientAddress: string | undefined;
  readonly clientRequestId: string | undefined;
  readonly principal: Principal;
  keyed: KeyedCall | undefined;
  readonly #init: ServerCallInit;
  #controller: AbortController | undefined;
  #logger: Logger | undefined;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(init: ServerCallInit) {
    this.requestId = init.origin.requestId;
    this.clientAddress = init.origin.clientAddress;
    this.clientRequestId = init.origin.clientRequestId;
    this.principal = init.principal;
    this.#init = init;
  }

  get workspaceId(): string {
    return workspaceOf(this.principal);
  }

  get actor(): Actor {
    return actorOf(this.principal);
  }

  get deadline(): Date {
    return new Date(this.#init.deadlineMs);
  }

  get logger(): Logger {
    this.#logger ??= this.#init.logger.child({
      request_id: this.requestId,
      rpc: this.#init.method,
      ...workspaceBinding(this.principal),
    });
    return this.#logger;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const { source, deadlineMs } = this.#init;
      if (source.cancelled) this.abort(new Error("the caller cancelled or disconnected"));
      else source.once("cancelled", () => this.abort(new Error("the caller cancelled or disconnected")));
      const left = deadlineMs - Date.now();
      if (!this.#over) {
        this.#timer = setTimeout(() => this.abort(new Error("the deadline passed")), Math.max(0, left));
      }
    }
    return this.#controller.signal;
  }

  setTrailer(name: string, value: string): void {
    this.#init.trailer.set(name, value);
  }

  /** Aborts the signal if it was created. */
  abort(reason: Error): void {
    clearTimeout(this.#timer);
    this.#controller?.abort(reason);
  }

  /** Marks the call as answered and clears its timer. */
  finish(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }
}

function workspaceBinding(principal: Principal): { workspace_id?: string } {
  if (principal.kind === "user" || principal.kind === "api_key")
    return { workspace_id: principal.workspaceId };
  if (principal.kind === "service" && principal.onBehalfOf !== undefined) {
    return { workspace_id: principal.onBehalfOf.workspaceId };
  }
  return {};
}
