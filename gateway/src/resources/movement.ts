import type { Movement } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import Type from "typebox";
import { orNull, presentActor, presentInstant } from "../http/present.ts";
import { exampleId, id, instant, like, nullable } from "../http/schemas.ts";

export const movementSchema = Type.Object(
  {
    id: id("mov"),
    asset_id: id("ast"),
    from_location_id: nullable(id("loc")),
    from_custodian_id: nullable(id("cus")),
    to_location_id: nullable(id("loc")),
    to_custodian_id: nullable(id("cus")),
    reason: nullable(like("transfer")),
    ref: nullable(like("TR-2026-014")),
    note: nullable(like("Moved with the team")),
    at: nullable(instant()),
    by: nullable(like(exampleId("usr"))),
  },
  { title: "Movement" },
);

/** A movement as both surfaces show it. */
export function presentMovement(movement: Movement): Type.Static<typeof movementSchema> {
  return {
    id: movement.id,
    asset_id: movement.assetId,
    from_location_id: orNull(movement.fromLocationId),
    from_custodian_id: orNull(movement.fromCustodianId),
    to_location_id: orNull(movement.toLocationId),
    to_custodian_id: orNull(movement.toCustodianId),
    reason: orNull(movement.reason),
    ref: orNull(movement.ref),
    note: orNull(movement.note),
    at: presentInstant(movement.at),
    by: presentActor(movement.by),
  };
}
