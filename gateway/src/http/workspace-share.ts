import { exhausted } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createShares } from "../shares.ts";
import { callerOf } from "./context.ts";
import { whenClosed } from "./when-closed.ts";

/** `tooMany` is the public message of a refusal. */
export type WorkspaceShareOptions = { atOnce: number; tooMany: string; retryAfterMs: number };

/**
 * Creates the function that lets a workspace run only some requests at once. A request counts until its response has
 * ended or its client has disconnected.
 *
 * @throws AppError RATE_LIMITED
 */
export function createWorkspaceShare({ atOnce, tooMany, retryAfterMs }: WorkspaceShareOptions) {
  const shares = createShares();
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const release = shares.take([{ key: callerOf(request).principal.workspaceId, max: atOnce }]);
    if (release === undefined) throw exhausted(tooMany, retryAfterMs);
    whenClosed(reply, release);
  };
}
