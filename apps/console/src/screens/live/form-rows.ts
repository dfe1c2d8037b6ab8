/** A row of a list in a form. Its key is unique in the list while the form is open. */
export type Row = { key: string };

/** The rows of a record. The same rows have the same keys when the record is read again. */
export const withKeys = <T extends object>(rows: readonly T[]): (T & Row)[] =>
  rows.map((row, index) => ({ ...row, key: `${index}` }));

export const newKey = (): string => crypto.randomUUID();

/** The number in an input; undefined if it is empty. */
export const numberOf = (input: number | string): number | undefined =>
  input === "" ? undefined : Number(input);
