import type { Actor } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { Money } from "@asset-register/proto/assetregister/common/v1/money_pb";
import { moneyNumber } from "@asset-register/runtime";
import type { DescEnum, DescMessage, Message, MessageShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import Type, { type TSchema } from "typebox";
import { fieldOf, namesOf, wellKnown } from "./fields.ts";

/** A record in HTTP: its schema, and its message presented by it. `digits` are those of the workspace's currency. */
export type Resource<D extends DescMessage = DescMessage, P extends Type.TProperties = Type.TProperties> = {
  desc: D;
  schema: Type.TObject<P>;
  present(message: MessageShape<D>, digits?: number): Type.Static<Type.TObject<P>>;
};

type Present<D extends DescMessage> = (message: MessageShape<D>, digits: number | undefined) => unknown;

/**
 * A record of both surfaces. Each property is the field of its name in the message: an enum by its name, an instant
 * in RFC 3339, an amount in major units, an actor by its id, absent as null. A property with a rule is what the rule
 * returns.
 * @throws Error at boot for a property that is neither a field nor has a rule
 */
export function resource<const D extends DescMessage, P extends Type.TProperties>(
  desc: D,
  title: string,
  properties: P,
  rules: { [K in keyof P]?: Present<D> } = {},
): Resource<D, P> {
  const present = presenter(desc, properties, rules);
  return {
    desc,
    schema: Type.Object(properties, { title }),
    // Each value was made as the property's field says; the tests hold the answers against the schema.
    present: (message, digits) => present(message, digits) as Type.Static<Type.TObject<P>>,
  };
}

function presenter<D extends DescMessage>(
  desc: D,
  properties: Record<string, TSchema>,
  rules: { [name: string]: Present<D> | undefined } = {},
): Present<D> {
  const values = Object.entries(properties).map(([name, schema]): [string, Present<D>] => [
    name,
    rules[name] ?? valueOf(desc, name, schema),
  ]);
  return (message, digits) => {
    const presented: Record<string, unknown> = {};
    for (const [name, value] of values) presented[name] = value(message, digits);
    return presented;
  };
}

type Convert = (value: unknown, digits: number | undefined) => unknown;

function valueOf<D extends DescMessage>(desc: D, name: string, schema: TSchema): Present<D> {
  const field = fieldOf(desc, name);
  const convert = converterOf(field, schema, `${desc.typeName}.${name}`);
  const { localName } = field;
  return (message, digits) => {
    const value: unknown = message[localName as keyof MessageShape<D>];
    return value === undefined ? null : convert(value, digits);
  };
}

type Field = ReturnType<typeof fieldOf>;

function converterOf(field: Field, schema: TSchema, name: string): Convert {
  switch (field.fieldKind) {
    case "scalar":
      return scalar;
    case "enum":
      return enumName(field.enum);
    case "message":
      return messageValue(field.message, schema, name);
    case "list": {
      const item = itemOf(schema);
      const convert =
        field.listKind === "enum"
          ? enumName(field.enum)
          : field.listKind === "message"
            ? messageValue(field.message, item, name)
            : scalar;
      return (values, digits) => (values as unknown[]).map((value) => convert(value, digits));
    }
    case "map":
      throw new Error(`${name} is a map: it needs a rule of its own`);
  }
}

const scalar: Convert = (value) => (typeof value === "bigint" ? Number(value) : value);

function enumName(desc: DescEnum): Convert {
  const names = namesOf(desc);
  return (value) => {
    const name = names.decode(value as number);
    if (name === undefined) throw new RangeError(`${desc.typeName} has no name for ${String(value)}`);
    return name;
  };
}

function messageValue(desc: DescMessage, schema: TSchema, name: string): Convert {
  switch (desc.typeName) {
    case wellKnown.instant:
      return (at) => timestampDate(at as Timestamp).toISOString();
    case wellKnown.actor:
      return (actor) => (actor as Actor).id;
    case wellKnown.money:
      return (money, digits) => {
        if (digits === undefined) throw new Error(`${name} is presented without the digits of its currency`);
        return moneyNumber(Number((money as Money).minorUnits), digits);
      };
    default: {
      const present = presenter(desc, propertiesOf(schema, name));
      return (value, digits) => present(value as Message, digits);
    }
  }
}

const itemOf = (schema: TSchema): TSchema =>
  "items" in schema && typeof schema.items === "object" && schema.items !== null ? schema.items : {};

function propertiesOf(schema: TSchema, name: string): Record<string, TSchema> {
  if ("properties" in schema && typeof schema.properties === "object" && schema.properties !== null) {
    return { ...schema.properties };
  }
  throw new Error(`${name} is a message, and its schema is no object`);
}
