import type { Incoming } from "@asset-register/events";
import type { CheckoutEventSchema } from "@asset-register/proto/assetregister/events/v1/checkout_pb";
import type { MovementEventSchema } from "@asset-register/proto/assetregister/events/v1/movement_pb";
import type { SightingEventSchema } from "@asset-register/proto/assetregister/events/v1/sighting_pb";
import { IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { decodeActor } from "@asset-register/rpc";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Message } from "./domain/message.ts";
import { checkoutMessage, moveMessage } from "./domain/payload.ts";
import type { Sighting } from "./domain/sighting.ts";

const holderTypes: Record<IssuedToType, string> = {
  [IssuedToType.UNSPECIFIED]: "unknown",
  [IssuedToType.CUSTODIAN]: "custodian",
  [IssuedToType.DEPARTMENT]: "department",
  [IssuedToType.LOCATION]: "location",
  [IssuedToType.EXTERNAL]: "external",
};

// Each decoder gives none for a tombstone and for a change from a newer release.

export function decodeMove(event: Incoming<typeof MovementEventSchema>): Message[] {
  const change = event.message?.change;
  if (change?.case !== "moved" || change.value.movement === undefined) return [];
  const { movement } = change.value;
  return [
    moveMessage(event, {
      id: movement.id,
      assetId: movement.assetId,
      from: {
        ...optional("locationId", movement.fromLocationId),
        ...optional("custodianId", movement.fromCustodianId),
      },
      to: {
        ...optional("locationId", movement.toLocationId),
        ...optional("custodianId", movement.toCustodianId),
      },
      ...optional("reason", movement.reason),
      ...optional("ref", movement.ref),
      at: toDate(movement.at) ?? event.time,
      by: decodeActor(movement.by),
    }),
  ];
}

export function decodeCheckout(event: Incoming<typeof CheckoutEventSchema>): Message[] {
  const { change, state } = event.message ?? {};
  if (state === undefined || (change?.case !== "created" && change?.case !== "returned")) return [];
  const dueAt = toDate(state.dueAt);
  const returnedAt = toDate(state.returnedAt);
  return [
    checkoutMessage(event, `checkout.${change.case}`, {
      id: state.id,
      assetId: state.assetId,
      issuedTo: {
        type: holderTypes[state.issuedToType] ?? "unknown",
        ...optional("id", state.issuedToId),
      },
      issuedAt: toDate(state.issuedAt) ?? event.time,
      ...(dueAt === undefined ? {} : { dueAt }),
      ...optional("conditionOut", state.conditionOut),
      ...optional("conditionIn", state.conditionIn),
      ...(returnedAt === undefined ? {} : { returnedAt }),
      returnedLate: state.returnedLate,
      needsInspection: state.needsInspection,
    }),
  ];
}

const kinds = {
  arrived: "arrived",
  left: "left",
  moved: "moved",
  seen: "seen",
  unknownTag: "unknown_tag",
} as const satisfies Record<string, Sighting["kind"]>;

export function decodeSighting(event: Incoming<typeof SightingEventSchema>): Sighting[] {
  const { sighting, change } = event.message ?? {};
  if (sighting === undefined || change?.case === undefined) return [];
  const from = change.case === "left" || change.case === "moved" ? change.value.fromZoneId : "";
  const at = toDate(sighting.at) ?? event.time;
  return [
    {
      kind: kinds[change.case],
      epc: sighting.epc,
      ...optional("assetId", sighting.assetId),
      ...optional("readerId", sighting.readerId),
      ...optional("zoneId", sighting.zoneId),
      ...optional("locationId", sighting.locationId),
      ...optional("fromZoneId", from),
      at,
      receivedAt: toDate(sighting.receivedAt) ?? at,
      order: { epoch: event.epoch, sequence: event.sequence },
    },
  ];
}

function toDate(time: Timestamp | undefined): Date | undefined {
  return time === undefined ? undefined : timestampDate(time);
}

/** Protobuf has no absent text: an empty one is none. */
function optional<K extends string>(name: K, text: string): { [P in K]?: string } {
  const field: { [P in K]?: string } = {};
  if (text !== "") field[name] = text;
  return field;
}
