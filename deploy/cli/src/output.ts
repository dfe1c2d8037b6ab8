/** Ends the command with a sentence instead of a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
}

/** Lines of a table for people, or one JSON object a line for programs. */
export function printRows(rows: readonly Record<string, unknown>[], { json }: { json?: boolean }): void {
  if (json) for (const row of rows) console.log(JSON.stringify(row));
  else if (rows.length > 0) console.table(rows);
}
