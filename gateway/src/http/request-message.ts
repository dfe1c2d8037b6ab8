import { enumNamesOf } from "@asset-register/rpc";
import { invalid, parseInstant, parseMoney } from "@asset-register/runtime";
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import type Type from "typebox";
import type { TSchema } from "typebox";
import type { Caller } from "../credentials.ts";
import { casesOf, fieldOf, itemSchema, propertiesOf, wellKnown } from "./fields.ts";

/*
 * Input was validated against its schema. The schema and the kind of the field determine the type of each value,
 * which TypeScript does not know: each `as` in this file follows from them.
 */

/** The currency of the workspace, in which the amounts of a request are. A `Caller` has it. */
export type Currency = Pick<Caller, "currencyDigits"> & { workspace: { currency: string } };

/**
 * Declares how a body or a query becomes a message. Each property sets the field with the same name:
 *
 * | Field         | Property                                                       |
 * | ------------- | -------------------------------------------------------------- |
 * | scalar        | the same value                                                 |
 * | enum          | its name in lower case                                         |
 * | Timestamp     | RFC 3339 with a time zone                                      |
 * | Money         | an amount in major units, in the `currency` of the workspace   |
 * | Struct        | any object                                                     |
 * | Value         | any value                                                      |
 * | one oneof     | an object with the `type`: the name of a case, and its fields  |
 * | other message | an object with the properties of its schema                    |
 * | repeated      | a list                                                         |
 *
 * A property that is left out sets nothing. The properties in `setByRoute` are skipped: the route converts them.
 *
 * @throws Error at boot for another property that is not a field, or whose field has no conversion. The function that
 *   it returns throws AppError VALIDATION_FAILED, which names the field, for an amount that the currency can't hold
 */
export function requestMessage<const D extends DescMessage, P extends Type.TProperties>(
  desc: D,
  schema: Type.TObject<P>,
  ...setByRoute: (keyof P & string)[]
): (input: Type.Static<Type.TObject<P>>, currency?: Currency) => MessageInitShape<D> {
  const properties = Object.entries<TSchema>(schema.properties);
  const convert = objectConverter(
    desc,
    properties.filter(([name]) => !setByRoute.includes(name)),
  );
  return (input, currency) => convert(input, currency) as MessageInitShape<D>;
}

function objectConverter(desc: DescMessage, properties: [name: string, TSchema][]): Convert {
  const converters = properties.map(([name, schema]): [property: string, field: string, Convert] => {
    const field = fieldOf(desc, name);
    return [name, field.localName, fieldConverter(field, schema, `${desc.typeName}.${name}`)];
  });
  return (input, currency) => {
    const values = input as Readonly<Record<string, unknown>>;
    const message: Record<string, unknown> = {};
    for (const [property, field, convert] of converters) {
      if (values[property] !== undefined) message[field] = convert(values[property], currency);
    }
    return message;
  };
}

/** Converts the value of a property, which is not undefined, to that of its field. */
type Convert = (value: unknown, currency: Currency | undefined) => unknown;

/** `name` is that of the field, for messages of errors. */
function fieldConverter(field: DescField, schema: TSchema, name: string): Convert {
  if (field.fieldKind === "map") throw new Error(`${name} is a map: the route has to set it`);
  if (field.fieldKind !== "list") return valueConverter(field, schema, name);
  const convert = valueConverter(field, itemSchema(schema), name);
  return (items, currency) => (items as unknown[]).map((item) => convert(item, currency));
}

/** Converts the value of a field, or one of its list. */
function valueConverter(field: DescField, schema: TSchema, name: string): Convert {
  if (field.enum !== undefined) return enumNumber(field.enum);
  return field.message === undefined ? unchanged : messageValue(field.message, field.name, schema, name);
}

const unchanged: Convert = (value) => value;

function enumNumber(desc: DescEnum): Convert {
  const names = enumNamesOf(desc);
  return (name) => names.encode(String(name));
}

function messageValue(desc: DescMessage, property: string, schema: TSchema, name: string): Convert {
  switch (desc.typeName) {
    case wellKnown.instant:
      return (text) => toTimestamp(String(text), property);
    case wellKnown.money:
      return (amount, currency) => {
        if (currency === undefined) throw new Error(`${name} is an amount and needs the currency`);
        const minorUnits = parseMoney(amount as string | number, currency.currencyDigits, property);
        return { minorUnits: BigInt(minorUnits), currency: currency.workspace.currency };
      };
    case wellKnown.struct:
      return unchanged;
    case wellKnown.value:
      return (value) => fromJson(ValueSchema, value as JsonValue);
    default: {
      const oneof = casesOf(desc, schema);
      if (oneof) return caseConverter(oneof);
      return objectConverter(desc, Object.entries(propertiesOf(schema, name)));
    }
  }
}

function caseConverter({ localName, cases }: NonNullable<ReturnType<typeof casesOf>>): Convert {
  const converters = new Map(
    cases.map((one) => [
      one.type,
      { case: one.localName, convert: objectConverter(one.desc, Object.entries(one.properties)) },
    ]),
  );
  return (input, currency) => {
    const found = converters.get((input as { type: string }).type);
    return found && { [localName]: { case: found.case, value: found.convert(input, currency) } };
  };
}

/**
 * A text in RFC 3339 as a Timestamp. The format `date-time` of a schema accepts the same texts.
 *
 * @throws AppError VALIDATION_FAILED that names `field`
 */
export function toTimestamp(text: string, field: string): Timestamp {
  const instant = parseInstant(text);
  if (instant === undefined) throw invalid([{ field, message: "must be an instant with a time zone" }]);
  return timestampFromDate(instant);
}
