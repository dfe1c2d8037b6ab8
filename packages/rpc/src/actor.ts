import { ActorKind, type Actor as Message } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { Actor } from "./principal.ts";

const KINDS = {
  user: ActorKind.USER,
  api_key: ActorKind.API_KEY,
  reader: ActorKind.READER,
  service: ActorKind.SERVICE,
  operator: ActorKind.OPERATOR,
} as const satisfies Record<Actor["kind"], ActorKind>;

const NAMES = new Map(
  Object.entries(KINDS).map(([name, kind]) => [kind as ActorKind, name as Actor["kind"]]),
);

/** Whether a text names a kind of actor. */
export function isActorKind(text: string): text is Actor["kind"] {
  return Object.hasOwn(KINDS, text);
}

/** An actor as messages carry it. */
export function encodeActor({ kind, id }: Actor): Pick<Message, "kind" | "id"> {
  return { kind: KINDS[kind], id };
}

/** The actor of a message; none, or one of a kind that this release does not know, counts as a service. */
export function decodeActor(message: Pick<Message, "kind" | "id"> | undefined): Actor {
  return { kind: NAMES.get(message?.kind ?? ActorKind.SERVICE) ?? "service", id: message?.id ?? "" };
}
