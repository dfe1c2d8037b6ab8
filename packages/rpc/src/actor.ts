import { ActorKind, type Actor as Message } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { Actor } from "./principal.ts";

const KINDS = {
  user: ActorKind.USER,
  api_key: ActorKind.API_KEY,
  reader: ActorKind.READER,
  service: ActorKind.SERVICE,
  operator: ActorKind.OPERATOR,
} as const satisfies Record<Actor["kind"], ActorKind>;

const NAMES: Partial<Record<ActorKind, Actor["kind"]>> = {
  [ActorKind.USER]: "user",
  [ActorKind.API_KEY]: "api_key",
  [ActorKind.READER]: "reader",
  [ActorKind.OPERATOR]: "operator",
};

/** An actor as messages carry it. */
export function encodeActor({ kind, id }: Actor): Pick<Message, "kind" | "id"> {
  return { kind: KINDS[kind], id };
}

/** The actor of a message; none, or one of a kind that this release does not know, counts as a service. */
export function decodeActor(message: Pick<Message, "kind" | "id"> | undefined): Actor {
  const kind = message === undefined ? undefined : NAMES[message.kind];
  return { kind: kind ?? "service", id: message?.id ?? "" };
}
