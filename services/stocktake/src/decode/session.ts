import type { CreateSessionRequest } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { NewSession } from "../domain/session.ts";
import { scopeTypeNames } from "../encode/session.ts";
import type { SessionInput } from "../operations/open-session.ts";

const newSession = z
  .object({
    name: field.text(limits.name),
    scopeType: field.enum(scopeTypeNames),
    scopeId: field.optionalId(),
    blind: z.boolean(),
  })
  .refine(({ scopeType, scopeId }) => scopeType === "all" || scopeId, {
    path: ["scopeId"],
    message: "is required for this scope",
  })
  .refine(({ scopeType, scopeId }) => scopeType !== "all" || !scopeId, {
    path: ["scopeId"],
    message: "must be absent for the scope all",
  });

export const decodeCreateSession = ({ session }: CreateSessionRequest): NewSession =>
  parse(newSession, session ?? {});

const target = z.object({ id: field.id() });

/** Which session a request changes, and at which revs. */
export const decodeSessionInput = ({ id, ifRevIn }: { id: string; ifRevIn: number[] }): SessionInput => ({
  ...parse(target, { id }),
  ifRevIn,
});
