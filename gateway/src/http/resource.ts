import type { Actor } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { Money } from "@asset-register/proto/assetregister/common/v1/money_pb";
import { enumNamesOf } from "@asset-register/rpc";
import { moneyNumber } from "@asset-register/runtime";
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type Message,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import Type, { type TSchema } from "typebox";
import { casesOf, fieldOf, itemSchema, propertiesOf, wellKnown } from "./fields.ts";
import { type Fields, type ShownProperties, shownProperties } from "./writable.ts";

/*
 * Values are read by the descriptor of their message. The kind of a field determines the type of its value, which
 * TypeScript does not know: each `as` in this file follows from the kind that was tested just before.
 */

/** A type of record in responses: its schema, and how a message becomes a record. Both surfaces use it. */
export type Resource<D extends DescMessage = DescMessage, F extends Fields = Fields> = {
  desc: D;
  /** The declaration, from which `newBody` and `patchBody` make the bodies of requests. */
  fields: F;
  schema: Type.TObject<ShownProperties<F>>;
  /**
   * The record of a message. `currencyDigits` are the digits after the point in the workspace's currency; a record
   * with amounts needs them.
   *
   * @throws Error for an amount without `currencyDigits`
   * @throws RangeError for an enum value that this release does not know
   */
  present(message: MessageShape<D>, currencyDigits?: number): Type.Static<Type.TObject<ShownProperties<F>>>;
};

/** Computes one property of a record, or the whole record. */
type Present<D extends DescMessage> = (
  message: MessageShape<D>,
  currencyDigits: number | undefined,
) => unknown;

/**
 * Declares a type of record: its properties, and which of them callers write (`required`, `optional`, `defaulted`,
 * `fixed`, `onlyChanged` of writable.ts; a plain schema is read-only). Each property has the value of the field with the
 * same name:
 *
 * | Field         | Property                                       |
 * | ------------- | ---------------------------------------------- |
 * | scalar        | the same value; 64-bit integers become numbers |
 * | enum          | its name in lower case                         |
 * | Timestamp     | RFC 3339 in UTC, with milliseconds             |
 * | Money         | a number in major units                        |
 * | Actor         | its id                                         |
 * | Struct        | the object                                     |
 * | Value         | the value                                      |
 * | one oneof     | the fields of the case, and its name as `type` |
 * | other message | an object with the properties of its schema    |
 * | repeated      | a list                                         |
 * | absent        | null                                           |
 *
 * A property in `rules` has the value that its rule returns.
 *
 * @throws Error at boot for a property without a rule that is not a field, or whose field is in a oneof or a map
 */
export function resource<const D extends DescMessage, F extends Fields>(
  desc: D,
  title: string,
  fields: F,
  rules: { [K in keyof F]?: Present<D> } = {},
): Resource<D, F> {
  const properties = shownProperties(fields);
  const present = recordPresenter(desc, properties, rules);
  return {
    desc,
    fields,
    schema: Type.Object(properties, { title }),
    // The tests validate responses against their schemas.
    present: (message, currencyDigits) =>
      present(message, currencyDigits) as Type.Static<Type.TObject<ShownProperties<F>>>,
  };
}

function recordPresenter<D extends DescMessage>(
  desc: D,
  properties: Record<string, TSchema>,
  rules: { [name: string]: Present<D> | undefined } = {},
): Present<D> {
  const presenters = Object.entries(properties).map(([name, schema]): [string, Present<D>] => [
    name,
    rules[name] ?? propertyPresenter(desc, name, schema),
  ]);
  return (message, currencyDigits) => {
    const record: Record<string, unknown> = {};
    for (const [name, present] of presenters) record[name] = present(message, currencyDigits);
    return record;
  };
}

function propertyPresenter<D extends DescMessage>(desc: D, name: string, schema: TSchema): Present<D> {
  const field = fieldOf(desc, name);
  const convert = fieldConverter(field, schema, `${desc.typeName}.${name}`);
  const localName = field.localName as keyof MessageShape<D>;
  return (message, currencyDigits) => {
    const value: unknown = message[localName];
    return value === undefined ? null : convert(value, currencyDigits);
  };
}

/** Converts the value of a field, which is not undefined, to JSON. */
type Convert = (value: unknown, currencyDigits: number | undefined) => unknown;

/** `name` is that of the field, for messages of errors. */
function fieldConverter(field: DescField, schema: TSchema, name: string): Convert {
  if (field.fieldKind === "map") throw new Error(`${name} is a map, which needs a rule`);
  if (field.fieldKind !== "list") return valueConverter(field, schema, name);
  const convert = valueConverter(field, itemSchema(schema), name);
  return (items, currencyDigits) => (items as unknown[]).map((item) => convert(item, currencyDigits));
}

/** Converts the value of a field, or one of its list. */
function valueConverter(field: DescField, schema: TSchema, name: string): Convert {
  if (field.enum !== undefined) return enumName(field.enum);
  return field.message === undefined ? scalarValue : messageValue(field.message, schema, name);
}

const scalarValue: Convert = (value) => (typeof value === "bigint" ? Number(value) : value);

function enumName(desc: DescEnum): Convert {
  const names = enumNamesOf(desc);
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
    case wellKnown.struct:
      // The generated code has the object itself.
      return (object) => object;
    case wellKnown.value:
      return (value) => toJson(ValueSchema, value as Value);
    case wellKnown.money:
      return (money, currencyDigits) => {
        if (currencyDigits === undefined) throw new Error(`${name} needs the digits of its currency`);
        return moneyNumber(Number((money as Money).minorUnits), currencyDigits);
      };
    default: {
      const oneof = casesOf(desc, schema);
      if (oneof) return casePresenter(oneof, name);
      const present = recordPresenter(desc, propertiesOf(schema, name));
      return (value, currencyDigits) => present(value as Message, currencyDigits);
    }
  }
}

function casePresenter({ localName, cases }: NonNullable<ReturnType<typeof casesOf>>, name: string): Convert {
  const presenters = new Map(
    cases.map((one) => [
      one.localName,
      { type: one.type, present: recordPresenter(one.desc, one.properties) },
    ]),
  );
  return (message, currencyDigits) => {
    const oneof = (message as Record<string, unknown>)[localName] as { case?: string; value?: unknown };
    const found = presenters.get(oneof.case ?? "");
    if (!found) throw new RangeError(`${name} has a type that this release does not know`);
    const record = found.present(oneof.value as Message, currencyDigits) as object;
    return { type: found.type, ...record };
  };
}
