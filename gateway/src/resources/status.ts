import { StatusClass, StatusSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { id, like } from "../http/schemas.ts";

export const status = resource(StatusSchema, "Status", {
  id: id("sta"),
  key: like("in_stock"),
  name: like("In stock"),
  class: enumOf(StatusClass),
});
