/** The names of records, by their ids. */
export type Names = ReadonlyMap<string, string>;

/** "Drill (ast_1)"; the id alone while the name is unknown. */
export function nameOf(id: string, names: Names): string {
  const name = names.get(id);
  return name === undefined ? id : `${name} (${id})`;
}
