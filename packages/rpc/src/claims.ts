import type { DescMethod } from "@bufbuild/protobuf";
import { z } from "zod";
import { isActorKind } from "./actor.ts";
import { capabilityNames } from "./capability.ts";
import type { Principal } from "./principal.ts";

/**
 * A service may be older than the gateway that signs. Values of a newer release never give more rights: an unknown
 * capability is left out, and an actor of an unknown kind becomes a service, as in messages.
 */
const capabilities = z.array(z.string()).transform((names) => names.filter(capabilityNames.includes));

const actor = z.object({
  kind: z.string().transform((kind) => (isActorKind(kind) ? kind : "service")),
  id: z.string().min(1),
});

const principal = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("user"),
    workspaceId: z.string().min(1),
    id: z.string().min(1),
    sessionId: z.string(),
    deviceUuid: z.string(),
    capabilities,
  }),
  z.object({
    kind: z.literal("api_key"),
    workspaceId: z.string().min(1),
    id: z.string().min(1),
    scopes: z.array(z.string()),
  }),
  z.object({
    kind: z.literal("service"),
    name: z.string().min(1),
    onBehalfOf: z.object({ workspaceId: z.string().min(1), actor }).optional(),
  }),
]);

/** The only service that may assert users and API keys, and that may call without a user. */
export const GATEWAY = "gateway";

/**
 * Parses the principal in the claim of a token.
 *
 * @throws ZodError if it is malformed
 */
export function parsePrincipal(claim: unknown): Principal {
  return principal.parse(claim);
}

/** The reason why this issuer may not assert this principal. Undefined if it may. */
export function assertionProblem(issuer: string, asserted: Principal): string | undefined {
  if (asserted.kind === "anonymous") return "an anonymous caller has no token";
  if (asserted.kind === "service") {
    return asserted.name === issuer ? undefined : `${issuer} may not assert the service ${asserted.name}`;
  }
  return issuer === GATEWAY ? undefined : `${issuer} may not assert a principal of kind ${asserted.kind}`;
}

/**
 * The audience of a token for this method: its proto package, for example "assetregister.register.v1". So a token for
 * one service is of no use at another one.
 */
export const audienceOf = ({ parent }: DescMethod): string => parent.file.proto.package;

/** All content of a principal as a text, as the key in the cache of signed tokens. */
export function principalKey(asserted: Principal): string {
  switch (asserted.kind) {
    case "user": {
      const { workspaceId, id, sessionId, deviceUuid, capabilities } = asserted;
      return ["u", workspaceId, id, sessionId, deviceUuid, ...capabilities].join("\n");
    }
    case "api_key":
      return ["k", asserted.workspaceId, asserted.id, ...asserted.scopes].join("\n");
    case "service": {
      const behalf = asserted.onBehalfOf;
      if (behalf === undefined) return `s\n${asserted.name}`;
      return ["s", asserted.name, behalf.workspaceId, behalf.actor.kind, behalf.actor.id].join("\n");
    }
    case "anonymous":
      return "a";
  }
}
