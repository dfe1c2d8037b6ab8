import { unavailable } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { clientAddressOf } from "../client-address.ts";
import { asAppError } from "../errors.ts";
import type { ErrorBody } from "../http/error-body.ts";
import { hasBody } from "../http/has-body.ts";
import { type Load, OVERLOADED } from "../load.ts";
import type { WaitingBodies, WaitingBody } from "../waiting-bodies.ts";
import { sendError } from "./error-handler.ts";
import { endRequest } from "./request-timeout.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Ends the state in which the request is counted: in flight, or waiting for its body. */
    release: (() => void) | undefined;
    /** The reader whose id is in the headers; undefined on other routes. */
    reader: { id: string; workspaceId: string } | undefined;
  }
}

export type LoadSheddingOptions = { load: Load; waitingBodies: WaitingBodies; body: ErrorBody };

/**
 * Refuses requests with 503 while the process is overloaded, before any other work for them. A metric counts the
 * refusals. They are not logged, because logging would add to the overload.
 *
 * A request is in flight while something is done for it. While its body is on its way it counts as waiting, and those
 * have limits of their own: clients that never send the rest must not keep out the others.
 */
export const loadShedding = fp<LoadSheddingOptions>(async (app, { load, waitingBodies, body }) => {
  app.decorateRequest("release", undefined);
  app.decorateRequest("reader", undefined);

  const count = (request: FastifyRequest, reply: FastifyReply, ended: () => void): void => {
    request.release = ended;
    // The client has left while its credential was verified: nothing else would end the counting.
    if (reply.raw.closed) release(request);
  };

  const begin = (request: FastifyRequest, reply: FastifyReply): boolean => {
    release(request);
    if (!load.begin()) return false;
    count(request, reply, load.ended);
    return true;
  };

  app.addHook("onRequest", (request, reply, done) => {
    if (!begin(request, reply)) return sendError(unavailable(OVERLOADED), request, reply, body);
    // Also emitted when the client disconnects. Bulkheads limit the work that continues after that.
    reply.raw.once("close", () => release(request));
    done();
  });

  app.addHook("preParsing", (request, reply, _payload, done) => {
    if (hasArrived(request)) return done();
    release(request);
    try {
      count(request, reply, waitingBodies.begin(waitingBody(request, reply)));
    } catch (error) {
      return sendError(asAppError(error), request, reply, body);
    }
    done();
  });

  app.addHook("preValidation", (request, reply, done) => {
    // An upload still waits: its route reads the body.
    if (!hasArrived(request)) return done();
    if (!begin(request, reply)) return sendError(unavailable(OVERLOADED), request, reply, body);
    done();
  });
});

const waitingBody = (request: FastifyRequest, reply: FastifyReply): WaitingBody => ({
  address: clientAddressOf(request),
  readerId: request.reader?.id,
  // Not while an upload waits for its service, nor when its body is complete: that is no silence of the client.
  received: () =>
    request.raw.readableFlowing && !request.raw.complete ? request.socket.bytesRead : undefined,
  end: () => endRequest(request.raw, reply.raw),
});

const hasArrived = ({ raw }: FastifyRequest): boolean => raw.complete || !hasBody(raw);

/** Ends the counting of a request, at the latest when its connection is closed. */
export function release(request: FastifyRequest): void {
  request.release?.();
  request.release = undefined;
}
