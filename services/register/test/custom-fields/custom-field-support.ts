import {
  type CustomFieldSchema,
  CustomFieldType,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { requireFound } from "@asset-register/runtime";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { RunningRegister, Workspace } from "../support.ts";

/** Calls about custom fields of one workspace. */
export function customFieldCalls(register: RunningRegister, workspace: Workspace) {
  const { customFields, assets } = register;
  const { admin } = workspace;
  type Definition = MessageInitShape<typeof CustomFieldSchema>;
  return {
    /** Defines a field of type text unless given. */
    async define(key: string, definition: Definition = {}) {
      const customField = { key, label: key, type: CustomFieldType.TEXT, ...definition };
      return requireFound((await customFields.createCustomField({ customField }, admin)).customField);
    },
    async change(
      id: string,
      definition: Definition,
      ifRevIn: number[] = [],
      paths = Object.keys(definition),
    ) {
      const updateMask = {
        paths: paths.map((name) => name.replace(/[A-Z]/, (upper) => `_${upper.toLowerCase()}`)),
      };
      const request = { customField: { id, ...definition }, updateMask, ifRevIn };
      return requireFound((await customFields.updateCustomField(request, admin)).customField);
    },
    remove: (id: string, ifRevIn: number[] = []) => customFields.deleteCustomField({ id, ifRevIn }, admin),
    read: async (id: string) => requireFound((await customFields.getCustomField({ id }, admin)).customField),
    /** Creates an asset with these values. */
    async asset(values: JsonObject, categoryId?: string) {
      const asset = { name: "Drill", customFields: values, ...(categoryId && { categoryId }) };
      return requireFound((await assets.createAsset({ asset }, admin)).asset);
    },
    valuesOf: async (id: string) => (await assets.getAsset({ id }, admin)).asset?.customFields,
    /** The rows of a field's unique values. */
    uniqueRows: (fieldId: string) =>
      register.mongo
        .collection<{ _id: string; workspaceId: string; valueKey: string; assetId: string }>("unique_values")
        .find({ workspaceId: workspace.id, fieldId })
        .toArray(),
  };
}
