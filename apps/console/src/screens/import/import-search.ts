/** The states of rows that can be listed. */
export const rowStates = ["created", "updated", "unchanged", "rejected"] as const;
export type RowState = (typeof rowStates)[number];

/** The import that is shown, and which of its rows. They are part of the address, so that the page can be closed meanwhile. */
export type ImportSearch = { id?: string; rows?: RowState };

/** Reads the search of an address. What is no search is left out. */
export function parseImportSearch({ id, rows }: Record<string, unknown>): ImportSearch {
  const state = rowStates.find((one) => one === rows);
  return { ...(typeof id === "string" && id !== "" && { id }), ...(state && { rows: state }) };
}
