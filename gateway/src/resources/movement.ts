import {
  CreateMovementRequestSchema,
  MovementSchema,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, nullable, text, textOf } from "../http/schemas.ts";
import { fixed, optional, required } from "../http/writable.ts";

export const movement = resource(MovementSchema, "Movement", {
  id: id("mov"),
  asset_id: fixed(required(id("ast"))),
  from_location_id: nullable(id("loc")),
  from_custodian_id: nullable(id("cus")),
  to_location_id: fixed(optional(id("loc"))),
  to_custodian_id: fixed(optional(id("cus"))),
  reason: fixed(
    optional(
      Type.String({
        maxLength: limits.line,
        description:
          "`movement` by default. `edit`, `import`, `checkout`, `return`, `rfid` and `stock-take` are reserved.",
        examples: ["transfer"],
      }),
      { shown: { description: undefined } },
    ),
  ),
  ref: fixed(optional(textOf(limits.line, "TR-2026-014"))),
  note: fixed(optional(text, { shown: { examples: ["Moved with the team"] } })),
  at: nullable(instant()),
  by: nullable(like(exampleId("usr"))),
});

export const newMovementSchema = newBody(movement);
export const toNewMovement = requestMessage(CreateMovementRequestSchema, newMovementSchema);
