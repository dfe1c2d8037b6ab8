import {
  type AlertCondition,
  AlertConditionSchema,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { z } from "zod";
import type { ConditionType } from "../domain/alert-rules/condition.ts";
import { conditionTypes } from "../domain/alert-rules/condition-types.ts";
import { mapEnums } from "../encode/condition.ts";

type CaseName = NonNullable<AlertCondition["condition"]["case"]>;
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

type Schema = (typeof conditionTypes)[ConditionType]["schema"];

/** A case of the proto that `conditionTypes` lacks does not compile. */
const types: Record<SnakeCase<CaseName>, { schema: Schema }> = conditionTypes;

export const condition = z.discriminatedUnion(
  "type",
  // The cast holds because there are types.
  Object.values(types).map(({ schema }) => schema) as [Schema, ...Schema[]],
  `must be one of ${Object.keys(conditionTypes).join(", ")}`,
);

/** The input of `condition`. Undefined for a condition that only a newer release knows. */
export function conditionInput(message: AlertCondition | undefined): object | undefined {
  const { case: localName, value } = message?.condition ?? { case: undefined };
  const found = AlertConditionSchema.fields.find((one) => one.localName === localName);
  if (found?.message === undefined || value === undefined) return undefined;
  // A number without a name stays, so that the schema refuses it.
  const fields = mapEnums(found.message, value, (names, number) => names.decode(Number(number)) ?? number);
  return { ...fields, type: found.name };
}
