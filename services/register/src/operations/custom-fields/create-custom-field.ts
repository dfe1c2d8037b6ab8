import type { Call } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import {
  type CustomField,
  type CustomFieldDefinition,
  newCustomField,
} from "../../domain/custom-fields/custom-field.ts";
import { assertDefinition, auditedChanges } from "../../domain/custom-fields/custom-field-definition.ts";
import { auditEntry } from "../../published.ts";
import { assertCategories } from "../assets/assert-categories.ts";

export type CreateCustomField = {
  key: string;
  definition: Omit<CustomFieldDefinition, "position">;
  /** After all others when absent. */
  position?: number | undefined;
};

/** Defines a custom field. */
export function createCustomField(
  context: Context,
  { key, definition, position }: CreateCustomField,
  call: Call,
): Promise<CustomField> {
  const { mongo, stores, outbox, now } = context;
  const { workspaceId } = call;
  return mongo.transaction(call, async (session) => {
    await assertCategories(context, workspaceId, definition.categoryIds, session);
    assertDefinition({ ...definition, position: 0 });
    const last = (await stores.customFields.getAll(workspaceId, session)).at(-1);
    const given = { id: newId("cfd"), workspaceId, key };
    const at = now();
    const field = newCustomField(
      { ...definition, position: position ?? (last ? last.position + 1 : 1) },
      given,
      at,
    );
    await stores.customFields.insert(workspaceId, field, session);
    const changes = auditedChanges(undefined, field);
    await outbox.add(session, auditEntry(call, at, "custom_field.created", field.id, changes));
    return field;
  });
}
