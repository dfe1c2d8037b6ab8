import { MovementSchema } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, nullable } from "../http/schemas.ts";

export const movement = resource(MovementSchema, "Movement", {
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
});
