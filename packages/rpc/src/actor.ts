import { ActorKind, type Actor as Message } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { enumNames } from "./message/enum-names.ts";
import type { Actor } from "./principal.ts";

const kinds = enumNames(ActorKind);

/** Whether a text is a kind of actor. */
export const isActorKind = (text: string): text is Actor["kind"] => kinds.includes(text);

/** Converts an actor to its message. */
export function encodeActor({ kind, id }: Actor): Pick<Message, "kind" | "id"> {
  return { kind: kinds.encode(kind), id };
}

/** Converts a message to an actor. A missing actor, or an unknown kind of a newer release, becomes a service. */
export function decodeActor(message: Pick<Message, "kind" | "id"> | undefined): Actor {
  return { kind: kinds.decode(message?.kind) ?? "service", id: message?.id ?? "" };
}
