import type { Incoming } from "@asset-register/events";
import type { CheckoutEventSchema } from "@asset-register/proto/assetregister/events/v1/checkout_pb";
import type { MovementEventSchema } from "@asset-register/proto/assetregister/events/v1/movement_pb";
import { Condition, IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { decodeActor, decodeInstant, enumNames } from "@asset-register/rpc";
import type { Message } from "../domain/webhooks/message.ts";
import { checkoutMessage, movementMessage } from "../domain/webhooks/payload.ts";

const issuedToTypeNames = enumNames(IssuedToType);
const conditionNames = enumNames(Condition);

// A tombstone gives no message, nor does a change that only a newer release knows.

export function decodeMovement(event: Incoming<typeof MovementEventSchema>): Message[] {
  const change = event.message?.change;
  const movement = change?.case === "moved" ? change.value.movement : undefined;
  if (!movement) return [];
  return [
    movementMessage(event, {
      ...movement,
      reason: movement.reason || undefined,
      at: decodeInstant(movement.at) ?? event.time,
      by: decodeActor(movement.by),
    }),
  ];
}

export function decodeCheckout(event: Incoming<typeof CheckoutEventSchema>): Message[] {
  const { change, state } = event.message ?? {};
  if (!state || (change?.case !== "created" && change?.case !== "returned")) return [];
  return [
    checkoutMessage(event, `checkout.${change.case}`, {
      ...state,
      issuedToType: issuedToTypeNames.decode(state.issuedToType) ?? "unknown",
      issuedAt: decodeInstant(state.issuedAt) ?? event.time,
      dueAt: decodeInstant(state.dueAt),
      conditionOut: conditionNames.decode(state.conditionOut),
      conditionIn: conditionNames.decode(state.conditionIn),
      returnedAt: decodeInstant(state.returnedAt),
    }),
  ];
}
