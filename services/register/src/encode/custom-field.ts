import {
  type CustomFieldSchema,
  CustomFieldStatus,
  CustomFieldType,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import { fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { CustomField } from "../domain/custom-fields/custom-field.ts";

export const customFieldTypeNames = enumNames(CustomFieldType);

export function encodeCustomField(field: CustomField): MessageInitShape<typeof CustomFieldSchema> {
  const { type, status, progress, min, max } = field;
  const indexing = status === "indexing";
  return {
    ...encodeInstants(field),
    type: customFieldTypeNames.encode(type),
    // To remove old rows is internal.
    status: indexing ? CustomFieldStatus.INDEXING : CustomFieldStatus.ACTIVE,
    progress: indexing ? progress : undefined,
    min: encodeBound(min),
    max: encodeBound(max),
  };
}

const encodeBound = (bound: number | string | undefined): Value | undefined =>
  bound === undefined ? undefined : fromJson(ValueSchema, bound);
