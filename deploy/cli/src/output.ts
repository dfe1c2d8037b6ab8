/** An expected error: the command prints its message without a stack trace. */
export class CliError extends Error {
  override readonly name = "CliError";
}

/** Prints a table for people, or with `json` one JSON object a line for programs. */
export function printRows(rows: readonly Record<string, unknown>[], { json }: { json?: boolean }): void {
  if (json) for (const row of rows) console.log(JSON.stringify(row));
  else if (rows.length > 0) console.table(rows);
}
