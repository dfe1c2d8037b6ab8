import {
  create,
  type DescField,
  type DescMessage,
  type JsonValue,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";

const INSTANT = { seconds: 1_769_851_800n, nanos: 0 };
const MAX_DEPTH = 4;

/** A message with a value in each field, in the JSON form of protobuf. Of a oneof it has the first field. */
export function sampleOf(schema: DescMessage): JsonValue {
  return toJson(schema, create(schema, fieldsOf(schema, 0)));
}

function fieldsOf(schema: DescMessage, depth: number): Record<string, unknown> {
  if (schema.typeName === "google.protobuf.Timestamp") return INSTANT;
  return Object.fromEntries(
    schema.members.flatMap((member): [string, unknown][] => {
      const field = member.kind === "oneof" ? member.fields[0] : member;
      if (field === undefined || (field.message !== undefined && depth >= MAX_DEPTH)) return [];
      const value = fieldValue(field, depth);
      return [[member.localName, member.kind === "oneof" ? { case: field.localName, value } : value]];
    }),
  );
}

function fieldValue(field: DescField, depth: number): unknown {
  if (field.fieldKind === "map") return {};
  const single = field.message
    ? fieldsOf(field.message, depth + 1)
    : field.enum
      ? (field.enum.values[1]?.number ?? 0)
      : scalarOf(field);
  return field.fieldKind === "list" ? [single] : single;
}

function scalarOf({ scalar, name }: DescField): unknown {
  switch (scalar) {
    case ScalarType.STRING:
      return `<${name}>`;
    case ScalarType.BOOL:
      return true;
    case ScalarType.BYTES:
      return new Uint8Array();
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.SINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return 1n;
    default:
      return 1;
  }
}
