import { AlertConditionSchema } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { enumNamesOf } from "@asset-register/rpc";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { Condition } from "../domain/alert-rules/condition.ts";

/** The message of a condition: the case with the name of its type. Its fields have the same names as in the domain. */
export function encodeCondition({
  type,
  ...values
}: Condition): MessageInitShape<typeof AlertConditionSchema> {
  const found = AlertConditionSchema.fields.find(({ name }) => name === type);
  if (found?.message === undefined) throw new Error(`AlertCondition has no case ${type}`);
  const value = mapEnums(found.message, values, (names, name) => names.encode(String(name)));
  const condition: unknown = { case: found.localName, value };
  // The cast holds because the case and its fields were found by their names.
  return { condition } as MessageInitShape<typeof AlertConditionSchema>;
}

type Convert = (names: ReturnType<typeof enumNamesOf>, value: unknown) => unknown;

/** The values of a message's fields, with the values of enums, single or in lists, converted. */
export function mapEnums(desc: DescMessage, values: object, convert: Convert): object {
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => {
    const numbered = desc.field[name]?.enum;
    if (numbered === undefined) return [name, value];
    const names = enumNamesOf(numbered);
    return [name, Array.isArray(value) ? value.map((one) => convert(names, one)) : convert(names, value)];
  });
  return Object.fromEntries(entries);
}
