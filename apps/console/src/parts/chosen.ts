import type { Choice } from "./records.ts";

/** The names of expanded records, in the order of their ids. A name that could not be read is shown as its id. */
export const namesOf = (
  ids: readonly string[],
  records: readonly ({ name: string } | null)[] = [],
): string[] => ids.map((id, index) => records[index]?.name ?? id);

/** The choices, and the chosen ones: a revoked reader, for example, is no choice any more. */
export function optionsOf(choices: readonly Choice[], chosen: readonly (Choice | null)[] = []) {
  const byId = new Map([...chosen.filter((one) => one !== null), ...choices].map((one) => [one.id, one]));
  return [...byId.values()].map(({ id, name, path }) => ({
    value: id,
    label: path ? `${name} (${path})` : name,
  }));
}
