import { StatusClass, StatusSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { id, like } from "../http/schemas.ts";

export const status = resource(StatusSchema, "Status", {
  id: id("sta"),
  name: like("In stock"),
  class: enumOf(StatusClass),
  is_default: Type.Boolean(),
});
