import type { DescEnum } from "@bufbuild/protobuf";

/** A generated protobuf enum: numbers by upper-case name, and names by number. */
type ProtoEnum = Readonly<Record<string, string | number>>;

/** The names of an enum's values in domain types and HTTP: lower case, without UNSPECIFIED. */
type NameOf<E extends ProtoEnum> = Lowercase<Exclude<keyof E & string, "UNSPECIFIED">>;

/** Converts between the numbers of an enum in messages and its names in domain types and HTTP. */
export type EnumNames<N extends string, V extends number = number> = {
  /** In the order of the proto. */
  readonly names: readonly N[];
  /** The number of a name. Undefined stays undefined. */
  encode(name: N): V;
  encode(name: N | undefined): V | undefined;
  /** The name of a number. Undefined for UNSPECIFIED and for a number that only a newer release knows. */
  decode(value: number | undefined): N | undefined;
  /** The names of numbers. Numbers without a name are left out. */
  decodeAll(values: readonly number[]): N[];
  /** Whether a text is one of the names. */
  includes(text: string): text is N;
};

/**
 * Creates the conversion of a generated enum: `enumNames(StatusClass).encode("deployable")` is
 * `StatusClass.DEPLOYABLE`. So the values are listed only in the proto, and in the domain type if rules need them.
 */
export function enumNames<const E extends ProtoEnum>(
  values: E,
): EnumNames<NameOf<E>, Extract<E[keyof E], number>> {
  type Name = NameOf<E>;
  type Value = Extract<E[keyof E], number>;
  const numbers = new Map<string, Value>();
  const names = new Map<number, Name>();
  for (const [key, value] of Object.entries(values)) {
    if (typeof value !== "number" || value === 0) continue;
    // The casts hold because the generated object has only these keys. Object.entries loses their types.
    const [name, number] = [key.toLowerCase() as Name, value as Value];
    numbers.set(name, number);
    names.set(number, name);
  }
  function encode(name: Name): Value;
  function encode(name: Name | undefined): Value | undefined;
  function encode(name: Name | undefined): Value | undefined {
    return name === undefined ? undefined : numbers.get(name);
  }
  return {
    names: [...names.values()],
    encode,
    decode: (value) => (value === undefined ? undefined : names.get(value)),
    decodeAll: (values) => values.flatMap((value) => names.get(value) ?? []),
    includes: (text): text is Name => numbers.has(text),
  };
}

/** The same conversion of an enum that is known by its descriptor. `N` are its names, where a domain type has them. */
export function enumNamesOf<const N extends string = string>({ name, values }: DescEnum): EnumNames<N> {
  // Generated code keeps the prefix if one of the names would begin with a digit.
  const prefix = `${name.replace(/(?!^)([A-Z])/g, "_$1").toUpperCase()}_`;
  const numbers = values.map(({ localName, number }) => [localName.replace(prefix, ""), number]);
  // The cast: the descriptor has no types.
  return enumNames(Object.fromEntries(numbers)) as unknown as EnumNames<N>;
}
