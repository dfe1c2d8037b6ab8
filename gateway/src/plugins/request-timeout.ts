import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import fp from "fastify-plugin";
import { answerClientError, REQUEST_TIMEOUT } from "../http/client-error.ts";
import { hasBody } from "../http/has-body.ts";
import type { RouteAccess } from "../http/routes.ts";

declare module "fastify" {
  interface FastifyInstance {
    /**
     * Lets the body of a request take the time that `bytes` need at the least rate of uploads. Call it after
     * authentication. Returns the milliseconds from now.
     */
    allowUpload(request: IncomingMessage, bytes: number): number;
  }
}

export type RequestTimeoutOptions = {
  /** A whole request must arrive within this time. A slower client would only occupy a socket. */
  requestTimeoutMs: number;
  uploadBytesPerSecond: number;
};

/** The body of a request without a credential must arrive within this time: it is small, or that of a reader. */
const WITHOUT_CREDENTIAL_MS = 5_000;

/**
 * Limits how long a request may take to arrive, and how long it may stall: 408, and the connection is closed. The limit of
 * Node's server cannot be used, because it is the same for all routes.
 */
export const requestTimeout = fp<RequestTimeoutOptions>(
  async (app, { requestTimeoutMs, uploadBytesPerSecond }) => {
    const restarts = new WeakMap<IncomingMessage, (ms: number) => void>();
    const arriving = new WeakMap<Socket, () => void>();

    // Before the hooks of the request, which may change its time.
    app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      if (!hasBody(request)) return;
      let timer: NodeJS.Timeout | undefined;
      const restart = (ms: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => endRequest(request, response), ms).unref();
      };
      const { socket } = request;
      arriving.set(socket, () => endRequest(request, response));
      request.once("close", () => {
        clearTimeout(timer);
        arriving.delete(socket);
      });
      restarts.set(request, restart);
      restart(requestTimeoutMs);
    });

    // A connection without traffic. Node would close it without an answer.
    app.server.on("timeout", (socket: Socket) => {
      arriving.get(socket)?.();
      socket.destroy();
    });

    app.addHook("onRequest", (request, _reply, done) => {
      const { access } = request.routeOptions.config;
      if (access !== undefined && !hasCredential(access) && requestTimeoutMs > WITHOUT_CREDENTIAL_MS)
        restarts.get(request.raw)?.(WITHOUT_CREDENTIAL_MS);
      done();
    });

    app.decorate("allowUpload", (request, bytes) => {
      const ms = requestTimeoutMs + (bytes / uploadBytesPerSecond) * 1_000;
      restarts.get(request)?.(ms);
      return ms;
    });
  },
);

const hasCredential = (access: RouteAccess): boolean => !("public" in access || "reader" in access);

/** Ends a request that has not arrived: 408, and the connection is closed. */
export function endRequest({ complete, socket }: IncomingMessage, { headersSent }: ServerResponse): void {
  if (complete) return;
  const error = Object.assign(new Error("The request did not arrive in time."), { code: REQUEST_TIMEOUT });
  if (headersSent) socket.destroy(error);
  else answerClientError(error, socket);
}
