import { CustomFieldService } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeCreateCustomField,
  decodeDeleteCustomField,
  decodeUpdateCustomField,
} from "../decode/custom-field.ts";
import { encodeCustomField } from "../encode/custom-field.ts";
import { createCustomField } from "../operations/custom-fields/create-custom-field.ts";
import { deleteCustomField } from "../operations/custom-fields/delete-custom-field.ts";
import { updateCustomField } from "../operations/custom-fields/update-custom-field.ts";

export function customFieldService(context: Context): Implementation {
  const { customFields } = context.stores;
  return implement(CustomFieldService, {
    createCustomField: command(
      decodeCreateCustomField,
      (input, call) => createCustomField(context, input, call),
      (field) => ({ customField: encodeCustomField(field) }),
    ),

    async getCustomField({ id }, { workspaceId }) {
      const field = requireFound(await customFields.get(workspaceId, id), "custom field");
      return { customField: encodeCustomField(field) };
    },

    async listCustomFields(request, { workspaceId }) {
      const found = await customFields.list(workspaceId, pageRequest(request.page));
      return { customFields: found.items.map(encodeCustomField), page: pageInfo(found) };
    },

    async listFormFields(_request, { workspaceId }) {
      return { customFields: (await customFields.getAll(workspaceId)).map(encodeCustomField) };
    },

    updateCustomField: command(
      decodeUpdateCustomField,
      (input, call) => updateCustomField(context, input, call),
      (field) => ({ customField: encodeCustomField(field) }),
    ),

    deleteCustomField: command(
      decodeDeleteCustomField,
      (input, call) => deleteCustomField(context, input, call),
      () => ({}),
    ),
  });
}
