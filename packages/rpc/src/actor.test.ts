import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { expect, it } from "vitest";
import { decodeActor, encodeActor, isActorKind } from "./actor.ts";

it.each(["user", "api_key", "reader", "service", "operator"] as const)(
  "an actor of kind %s is the same after it was sent",
  (kind) => {
    const actor = { kind, id: "x_1" };
    expect(decodeActor(encodeActor(actor))).toEqual(actor);
    expect(isActorKind(kind)).toBe(true);
  },
);

it("an actor that is missing, or is of a kind that only a newer release knows, becomes a service", () => {
  expect(decodeActor(undefined)).toEqual({ kind: "service", id: "" });
  expect(decodeActor({ kind: 99 as ActorKind, id: "x_1" })).toEqual({ kind: "service", id: "x_1" });
  expect(decodeActor({ kind: ActorKind.UNSPECIFIED, id: "x_1" })).toEqual({ kind: "service", id: "x_1" });
  for (const text of ["robot", "unspecified", "USER", "toString"]) expect(isActorKind(text)).toBe(false);
});
