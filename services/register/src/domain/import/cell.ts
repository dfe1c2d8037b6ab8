import { unguardCell } from "@asset-register/runtime";

/** The text of a cell: without the apostrophe that our exports put before formulas, and without white space around. */
export const textOfCell = (cell: string): string => unguardCell(cell).trim();

/** Whether bytes of a cell were no UTF-8. The parser puts U+FFFD in their place. */
export const hasWrongBytes = (cell: string): boolean => cell.includes("\uFFFD");
