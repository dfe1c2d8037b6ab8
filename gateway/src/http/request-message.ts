import { invalid, parseInstant, parseMoney } from "@asset-register/runtime";
import type { DescEnum, DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type Type from "typebox";
import type { TSchema } from "typebox";
import type { Caller } from "../credentials.ts";
import { fieldOf, namesOf, wellKnown } from "./fields.ts";

/** The currency that amounts of a request are in. */
export type Currency = Pick<Caller, "currencyDigits"> & { workspace: { currency: string } };

type Convert = (value: unknown, currency: Currency | undefined) => unknown;

/**
 * Turns a body or a query into a message: each property is the field of its name, by the rules of `resource`. The
 * properties that are `left` to the route are not in the message.
 * @throws Error at boot for a property that is no field; the function throws AppError VALIDATION_FAILED
 */
export function requestMessage<const D extends DescMessage, P extends Type.TProperties>(
  desc: D,
  schema: Type.TObject<P>,
  ...left: (keyof P & string)[]
): (input: Type.Static<Type.TObject<P>>, currency?: Currency) => MessageInitShape<D> {
  const values = Object.keys(schema.properties)
    .filter((name) => !left.includes(name))
    .map((name): [string, string, Convert] => {
      const field = fieldOf(desc, name);
      return [name, field.localName, converterOf(field, `${desc.typeName}.${name}`)];
    });
  return (input, currency) => {
    const given: Readonly<Record<string, unknown>> = input as object as Record<string, unknown>;
    const message: Record<string, unknown> = {};
    for (const [name, localName, convert] of values) {
      if (given[name] !== undefined) message[localName] = convert(given[name], currency);
    }
    // Each value was made as its field says.
    return message as MessageInitShape<D>;
  };
}

function converterOf(field: ReturnType<typeof fieldOf>, name: string): Convert {
  switch (field.fieldKind) {
    case "scalar":
      return same;
    case "enum":
      return enumNumber(field.enum);
    case "message":
      return messageValue(field.message, field.name, name);
    case "list": {
      if (field.listKind === "message") break;
      const convert = field.listKind === "enum" ? enumNumber(field.enum) : same;
      return (values, currency) => (values as unknown[]).map((value) => convert(value, currency));
    }
  }
  throw new Error(`${name} can't be made of a property: leave it to the route`);
}

const same: Convert = (value) => value;

function enumNumber(desc: DescEnum): Convert {
  const names = namesOf(desc);
  return (name) => names.encode(String(name));
}

function messageValue(desc: DescMessage, property: string, name: string): Convert {
  switch (desc.typeName) {
    case wellKnown.instant:
      return (text) => toTimestamp(String(text), property);
    case wellKnown.money:
      return (value, currency) => {
        if (currency === undefined) throw new Error(`${name} is an amount without a currency`);
        const minorUnits = parseMoney(value as string | number, currency.currencyDigits, property);
        return { minorUnits: BigInt(minorUnits), currency: currency.workspace.currency };
      };
    default:
      throw new Error(`${name} is a message: leave it to the route`);
  }
}

/**
 * An instant as messages carry it.
 * @throws AppError VALIDATION_FAILED that names the field. The format date-time of a schema has the same rule
 */
export function toTimestamp(text: string, field: string): Timestamp {
  const instant = parseInstant(text);
  if (instant === undefined) throw invalid([{ field, message: "must be an instant with a time zone" }]);
  return timestampFromDate(instant);
}
