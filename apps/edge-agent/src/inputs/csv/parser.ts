import Papa from "papaparse";
import { noEpc, parseEpc } from "../formats/epc.ts";
import { collect, type Entry, type Parsed } from "../formats/format.ts";
import { antenna, count, dbm } from "../formats/json.ts";
import { parseReaderTime } from "../formats/reader-time.ts";

/** What a column has. `ignore` is any other column. */
export const COLUMNS = ["epc", "ts", "antenna", "rssi", "count", "ignore"] as const;
export type Column = (typeof COLUMNS)[number];

export type CsvSettings = { columns: readonly Column[]; separator: string };

/** Parses lines of CSV. A line that repeats the names of the columns is no read, and fields may be quoted. */
export function parse(body: Buffer, { columns, separator }: CsvSettings): Parsed {
  const { data } = Papa.parse<string[]>(body.toString("utf8"), {
    delimiter: separator,
    skipEmptyLines: "greedy",
  });
  return collect(data.map((fields) => toRead(fields, columns)));
}

function toRead(fields: readonly string[], columns: readonly Column[]): Entry {
  const field = (name: Column): string | undefined => fields[columns.indexOf(name)]?.trim();
  const text = field("epc");
  if (text?.toLowerCase() === "epc") return undefined;
  const epc = parseEpc(text);
  if (epc === undefined) return noEpc(text);
  return {
    epc,
    at: parseReaderTime(field("ts")),
    antenna: antenna.parse(field("antenna")),
    rssi: dbm.parse(field("rssi")),
    count: count.parse(field("count")),
  };
}
