import { ActorSchema } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { MoneySchema } from "@asset-register/proto/assetregister/common/v1/money_pb";
import { enumNames } from "@asset-register/rpc";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { StructSchema, TimestampSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import Type, { type TSchema } from "typebox";

/** Type names of the messages that are a single value in JSON: a text, a number, an id, or any object or value. */
export const wellKnown = {
  instant: TimestampSchema.typeName,
  money: MoneySchema.typeName,
  actor: ActorSchema.typeName,
  struct: StructSchema.typeName,
  value: ValueSchema.typeName,
} as const;

/**
 * The field of a message that a JSON property corresponds to: the field of the same name.
 *
 * @throws Error at boot when there is no such field, or when it is in a oneof
 */
export function fieldOf(desc: DescMessage, property: string): DescField {
  const field = desc.fields.find(({ name }) => name === property);
  if (field === undefined) throw new Error(`${desc.typeName} has no field ${property}`);
  if (field.oneof !== undefined) {
    throw new Error(`${desc.typeName}.${property} is in a oneof, which has no automatic conversion`);
  }
  return field;
}

/** The schema of an enum in JSON: its names in lower case. The example is the first one by default. */
export const enumOf = <const E extends Readonly<Record<string, string | number>>>(
  values: E,
  example?: Lowercase<keyof E & string>,
) => Type.Enum([...enumNames(values).names], example === undefined ? {} : { examples: [example] });

/**
 * The one field of a message whose type, or whose items' type, is `desc`.
 *
 * @throws Error at boot when there is none
 */
export function fieldOfType(message: DescMessage, desc: DescMessage): DescField {
  const field = message.fields.find((one) => one.message?.typeName === desc.typeName);
  if (field === undefined) throw new Error(`${message.typeName} has no field of type ${desc.typeName}`);
  return field;
}

/** The schema of the items of a list. */
export const itemSchema = (schema: TSchema): TSchema =>
  "items" in schema && typeof schema.items === "object" && schema.items !== null ? schema.items : {};

/**
 * The properties of the schema of an object.
 *
 * @throws Error at boot for another schema
 */
export function propertiesOf(schema: TSchema, name: string): Record<string, TSchema> {
  if ("properties" in schema && typeof schema.properties === "object" && schema.properties !== null) {
    return { ...schema.properties };
  }
  throw new Error(`${name} is a message, but its schema is not an object`);
}

/** A case of a message that is one oneof: in JSON an object whose `type` is the name of the field. */
type Case = { type: string; localName: string; desc: DescMessage; properties: Record<string, TSchema> };

/**
 * The cases of a message that consists of one oneof, whose schema is a union of objects with a `type`. Undefined for
 * another message.
 *
 * @throws Error at boot for a case that is no message, or that only one of message and schema has
 */
export function casesOf(
  { typeName, oneofs: [oneof], fields }: DescMessage,
  schema: TSchema,
): { localName: string; cases: Case[] } | undefined {
  if (oneof === undefined || oneof.fields.length < fields.length) return undefined;
  const union = "anyOf" in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const objects = new Map<unknown, Record<string, TSchema>>(
    union.map((one) => {
      const { type, ...properties } = propertiesOf(one, typeName);
      return [type && "const" in type ? type.const : undefined, properties];
    }),
  );
  const cases = fields.map(({ name, localName, message }): Case => {
    const properties = objects.get(name);
    if (message === undefined) throw new Error(`${typeName}.${name} is no message`);
    if (properties === undefined)
      throw new Error(`The schema of ${typeName} has no object of the type ${name}`);
    return { type: name, localName, desc: message, properties };
  });
  if (cases.length < union.length) throw new Error(`The schema of ${typeName} has a type that is no field`);
  return { localName: oneof.localName, cases };
}
