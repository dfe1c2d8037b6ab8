import {
  type CheckoutSchema,
  CheckoutStatus,
  Condition,
  IssuedToType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { MovementSchema } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { encodeActor, encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CheckoutView } from "../domain/custody/checkout.ts";
import type { Movement } from "../domain/custody/movement.ts";

export const checkoutStatusNames = enumNames(CheckoutStatus);
export const conditionNames = enumNames(Condition);
export const issuedToTypeNames = enumNames(IssuedToType);

export function encodeCheckout(checkout: CheckoutView): MessageInitShape<typeof CheckoutSchema> {
  return {
    ...encodeInstants(checkout),
    status: checkoutStatusNames.encode(checkout.status),
    issuedToType: issuedToTypeNames.encode(checkout.issuedToType),
    conditionOut: conditionNames.encode(checkout.conditionOut),
    conditionIn: conditionNames.encode(checkout.conditionIn),
  };
}

export function encodeMovement(movement: Movement): MessageInitShape<typeof MovementSchema> {
  return { ...encodeInstants(movement), by: encodeActor(movement.by) };
}
