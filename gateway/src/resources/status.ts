import { type Status, StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import Type from "typebox";
import { id, like } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

const statusClass = wireEnum({
  pending: StatusClass.PENDING,
  deployable: StatusClass.DEPLOYABLE,
  undeployable: StatusClass.UNDEPLOYABLE,
  archived: StatusClass.ARCHIVED,
});

export const statusSchema = Type.Object(
  {
    id: id("sta"),
    name: like("In stock"),
    class: statusClass.schema,
    is_default: Type.Boolean(),
  },
  { title: "Status" },
);

/** A status that an asset may have. */
export function presentStatus(status: Status): Type.Static<typeof statusSchema> {
  return {
    id: status.id,
    name: status.name,
    class: statusClass.name(status.class),
    is_default: status.isDefault,
  };
}
