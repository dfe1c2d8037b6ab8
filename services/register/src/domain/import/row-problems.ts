import { textOfCell } from "./cell.ts";
import type { FilePosition } from "./import.ts";
import type { RowProblem } from "./row-input.ts";

/** Problems that a row shows: a page of 200 rows must fit into a message. */
const MAX_PROBLEMS = 100;
/** Characters of a cell that its problem shows. */
const SHOWN = 60;

/**
 * All problems of a row: those of its cells, and those that the rest of the row has by what is stored. A field has no
 * second problem because its cell was left out, and custom fields have none while the category is unknown.
 */
export function joinProblems(ofCells: readonly RowProblem[], ofStored: readonly RowProblem[]): RowProblem[] {
  const fields = new Set(ofCells.map(({ field }) => field));
  const isCategoryKnown = ![...ofCells, ...ofStored].some(({ field }) => field === "category_id");
  const more = ofStored.filter(
    ({ field = "" }) => !fields.has(field) && (isCategoryKnown || !field.startsWith("custom_fields.")),
  );
  return [...ofCells, ...more].slice(0, MAX_PROBLEMS);
}

/** A problem with the name of its column and the beginning of its cell. */
export function withCell(
  problem: RowProblem,
  cells: readonly string[],
  { columns = [], names = [] }: Partial<FilePosition> = {},
): RowProblem {
  const index = problem.field === undefined ? -1 : columns.indexOf(problem.field);
  if (index === -1) return problem;
  const text = textOfCell(cells[index] ?? "");
  const value = text === "" ? undefined : text.slice(0, SHOWN).toWellFormed();
  return { ...problem, column: names[index], value };
}
