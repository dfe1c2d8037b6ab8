import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import { type FieldMask, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import Type, { type TSchema } from "typebox";
import { orNull } from "./optional-nulls.ts";
import { type Currency, requestMessage } from "./request-message.ts";
import { body } from "./schemas.ts";

/** A JSON merge patch (RFC 7396) of one type of record. */
export type MergePatch<D extends DescMessage, P extends Type.TProperties = Type.TProperties> = {
  schema: PatchSchema<P>;
  /** The new values, and the mask that names their fields. A field that is null in the body is in the mask only. */
  toUpdate(
    input: Type.Static<PatchSchema<P>>,
    currency?: Currency,
  ): { record: MessageInitShape<D>; updateMask: FieldMask };
};

type PatchSchema<P extends Type.TProperties> = Type.TObject<{ [K in keyof P]: Type.TOptional<P[K]> }>;

/**
 * Declares which fields of a record a PATCH changes. All are optional in the body. Only a `clearable` one may be null.
 * Values are converted as by `requestMessage`. The properties in `setByRoute` are skipped, in the mask too.
 *
 * @throws Error at boot for a property that is not a field of the record
 */
export function mergePatch<const D extends DescMessage, P extends Type.TProperties>(
  desc: D,
  properties: P,
  ...setByRoute: (keyof P & string)[]
): MergePatch<D, P> {
  const optional = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]);
  // The cast holds because each property was made optional as in the type.
  const schema = body(Object.fromEntries(optional)) as unknown as PatchSchema<P>;
  const toMessage = requestMessage<D, Type.TProperties>(desc, schema, ...setByRoute);
  return {
    schema,
    toUpdate(input, currency) {
      const named = Object.entries(input).filter(([name]) => !setByRoute.includes(name));
      return {
        record: toMessage(Object.fromEntries(named.filter(([, value]) => value !== null)), currency),
        updateMask: create(FieldMaskSchema, { paths: named.map(([name]) => name) }),
      };
    },
  };
}

/**
 * A patch that also changes single fields of the nested message `name`, as RFC 7396 merges an object. The mask names them
 * as `template.title`.
 */
export function withNested<
  D extends DescMessage,
  P extends Type.TProperties,
  N extends string,
  Q extends Type.TProperties,
>(
  patch: MergePatch<D, P>,
  name: N,
  nested: MergePatch<DescMessage, Q>,
): MergePatch<D, P & Record<N, PatchSchema<Q>>> {
  const property = { [name]: Type.Optional(nested.schema) };
  // The cast holds because the property is optional, as those of the patch are.
  const schema = body({ ...patch.schema.properties, ...property }) as unknown as PatchSchema<
    P & Record<N, PatchSchema<Q>>
  >;
  return {
    schema,
    toUpdate(input, currency) {
      const { [name]: given, ...others } = input as Readonly<Record<string, unknown>>;
      const { record, updateMask } = patch.toUpdate(others as Type.Static<PatchSchema<P>>, currency);
      if (given === undefined) return { record, updateMask };
      const inner = nested.toUpdate(given as Type.Static<PatchSchema<Q>>, currency);
      const paths = [...updateMask.paths, ...inner.updateMask.paths.map((path) => `${name}.${path}`)];
      return { record: { ...record, [name]: inner.record }, updateMask: create(FieldMaskSchema, { paths }) };
    },
  };
}

/** A field of a merge patch that null clears. */
export const clearable = <T extends TSchema>(schema: T) => Type.Unsafe<Type.Static<T> | null>(orNull(schema));
