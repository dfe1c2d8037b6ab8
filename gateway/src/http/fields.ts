import { ActorSchema } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { type Money, MoneySchema } from "@asset-register/proto/assetregister/common/v1/money_pb";
import { type EnumNames, enumNames } from "@asset-register/rpc";
import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import Type from "typebox";

/** The messages that HTTP has as a single value. */
export const wellKnown = {
  instant: TimestampSchema.typeName,
  money: MoneySchema.typeName,
  actor: ActorSchema.typeName,
} as const;

/**
 * The field of a message that a property of HTTP stands for: the one of the same name.
 * @throws Error at boot when there is none
 */
export function fieldOf(desc: DescMessage, property: string): DescField {
  const field = desc.fields.find(({ name }) => name === property);
  if (field === undefined) throw new Error(`${desc.typeName} has no field ${property}`);
  if (field.oneof !== undefined) {
    throw new Error(`${desc.typeName}.${property} is in a oneof: it needs a rule of its own`);
  }
  return field;
}

/** The names of an enum that a descriptor names. */
export function namesOf({ values }: DescEnum): EnumNames<string> {
  return enumNames(Object.fromEntries(values.map(({ localName, number }) => [localName, number])));
}

/** The schema of an enum: its names in lower case. */
export const enumOf = <const E extends Readonly<Record<string, string | number>>>(values: E) =>
  Type.Enum([...enumNames(values).names]);
