import {
  MovementSchema,
  type Movement as ProtoMovement,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { encodeActor } from "@asset-register/rpc";
import { create } from "@bufbuild/protobuf";
import type { Movement } from "../domain/movement.ts";
import { encodeInstant } from "./common.ts";

export function encodeMovement(movement: Movement): ProtoMovement {
  return create(MovementSchema, {
    id: movement.id,
    assetId: movement.assetId,
    fromLocationId: movement.fromLocationId,
    fromCustodianId: movement.fromCustodianId,
    toLocationId: movement.toLocationId,
    toCustodianId: movement.toCustodianId,
    reason: movement.reason,
    ref: movement.ref,
    note: movement.note,
    at: encodeInstant(movement.at),
    by: encodeActor(movement.by),
  });
}
