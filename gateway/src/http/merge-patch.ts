import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { type FieldMask, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import type Type from "typebox";
import type { TSchema } from "typebox";
import { fieldOf } from "./fields.ts";
import { type Currency, requestMessage } from "./request-message.ts";
import { body } from "./schemas.ts";
import { type Fields, isWritable, type PatchProperties, patchProperties } from "./writable.ts";

/** A JSON merge patch (RFC 7396) of one type of record. */
export type MergePatch<D extends DescMessage, P extends Type.TProperties = Type.TProperties> = {
  schema: Type.TObject<P>;
  /** The new values, and the mask that names their fields. A field that is null in the body is in the mask only. */
  toUpdate(
    input: Type.Static<Type.TObject<P>>,
    currency?: Currency,
  ): { record: MessageInitShape<D>; updateMask: FieldMask };
};

/**
 * The body of a PATCH. It has the fields of the record that may change: all are optional, and null clears an `optional`
 * one. The fields of a `group` are merged as well: the mask names them as `template.title`. Values are converted as by
 * `requestMessage`. The fields in `setByRoute` are skipped, in the mask too.
 *
 * @throws Error at boot for a field that the message does not have
 */
export function mergePatch<const D extends DescMessage, F extends Fields>(
  { desc, fields }: { desc: D; fields: F },
  ...setByRoute: (keyof F & string)[]
): MergePatch<D, PatchProperties<F>> {
  const update: Update = updater(desc, fields, setByRoute);
  return {
    schema: body(patchProperties(fields)),
    toUpdate(input, currency) {
      const { record, paths } = update(input as Readonly<Record<string, unknown>>, currency);
      // The cast holds because `requestMessage` made the values from the fields of this message.
      return { record: record as MessageInitShape<D>, updateMask: create(FieldMaskSchema, { paths }) };
    },
  };
}

type Update = (
  input: Readonly<Record<string, unknown>>,
  currency?: Currency,
) => { record: object; paths: string[] };

function updater(desc: DescMessage, fields: Fields, setByRoute: readonly string[]): Update {
  const properties: Record<string, TSchema> = patchProperties(fields);
  const groups = new Map(
    Object.entries(fields).flatMap(([name, field]) => {
      if (!isWritable(field) || !field.fields || !(name in properties)) return [];
      const { message, localName } = fieldOf(desc, name);
      if (message === undefined) throw new Error(`${desc.typeName}.${name} is a group, but not a message`);
      return [[name, { localName, update: updater(message, field.fields, []) }] as const];
    }),
  );
  const toMessage = requestMessage(desc, body(properties), ...setByRoute, ...groups.keys());
  return (input, currency) => {
    const given = Object.entries(input).filter(([name]) => !setByRoute.includes(name));
    const record: Record<string, unknown> = { ...toMessage(valuesOf(given), currency) };
    const paths = given.flatMap(([name, value]) => {
      const group = groups.get(name);
      if (group === undefined || value === null) return [name];
      const inner = group.update(value as Readonly<Record<string, unknown>>, currency);
      record[group.localName] = inner.record;
      return inner.paths.map((path) => `${name}.${path}`);
    });
    return { record, paths };
  };
}

const valuesOf = (entries: readonly [string, unknown][]) =>
  Object.fromEntries(entries.filter(([, value]) => value !== null));
