import type { Column, MappedColumn } from "./csv-table.ts";
import type { Encoding } from "./csv-text.ts";

/** The requests of the page to the worker that holds the file. */
export type Request =
  | { do: "open"; file: File; encoding?: Encoding | undefined; delimiter?: string | undefined }
  | { do: "write"; columns: readonly MappedColumn[] }
  | { do: "failing"; reasons: ReadonlyMap<number, string>; reasonName: string };

/** A file that was read, or why it can't be imported. */
export type OpenedFile =
  | { problem: "unreadable" | "workbook" | "pdf" | "binary" | "empty" | "rows" }
  | {
      problem?: undefined;
      encoding: Encoding;
      delimiter: string;
      rows: number;
      columns: Column[];
      brokenRow: number | undefined;
    };

export type Reply = { id: number; value: OpenedFile | Blob } | { id: number; error: string };
