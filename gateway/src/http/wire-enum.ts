import Type from "typebox";

/** Converts the numbers of an enum in messages to its names in JSON, and back. */
export function wireEnum<const M extends Record<string, number>>(numbers: M) {
  type Name = Extract<keyof M, string>;
  const names = Object.keys(numbers) as Name[];
  const byNumber = new Map<number, Name>(names.map((name) => [numbers[name] ?? -1, name]));
  return {
    schema: Type.Enum(names),
    /** @throws RangeError for a number without a name: 0, or one that only a newer release knows */
    name(value: number): Name {
      const found = byNumber.get(value);
      if (found === undefined) throw new RangeError(`No name for ${value} among ${names.join(", ")}`);
      return found;
    },
    /** 0, which means unspecified, for undefined. */
    value(name: Name | undefined): M[Name] | 0 {
      return name === undefined ? 0 : numbers[name];
    },
  };
}
