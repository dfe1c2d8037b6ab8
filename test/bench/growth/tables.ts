import { topics } from "@asset-register/proto/topics";
import { shardKeyOf } from "../../../deploy/cli/src/shard-keys.ts";
import { bytesAfter, type Load, withoutRewrites } from "./arithmetic.ts";
import { type Capacity, COPIES, capacityFor } from "./capacity.ts";
import { type Kept, keptByCode, keptByTopic } from "./kept.ts";
import type { MeasuredGrowth, MeasuredPart } from "./measured.ts";

const LOAD: Load = { assets: 1_000_000, readsADay: 10_000_000, userDays: 5_000 };
const YEAR = 365;
const GIB = 2 ** 30;
const RATES = [100, 1_000, 100_000];
/** What grows by less in a year is a row of the mechanism, or the noise of a file's blocks. */
const WORTH_A_ROW = GIB;

type Row = MeasuredPart & { kept: Kept | undefined; year: number };

/** The tables of SIZING.md, from one run. */
export function growthTables(measured: MeasuredGrowth): string {
  const rows = measured.parts
    .map((part): Row => {
      const kept = keptOf(part);
      const units = isTopic(part.name) ? part : withoutRewrites(part, measured);
      return { ...part, ...units, kept, year: bytesAfter(units, LOAD, YEAR, kept?.days) };
    })
    .toSorted((one, other) => other.year - one.year || one.name.localeCompare(other.name));
  const large = rows.filter(({ year }) => year >= WORTH_A_ROW);
  const rest = rows.filter((row) => !large.includes(row));
  const perRead = { mongo: 0, kafka: 0 };
  for (const { name, read, kept } of rows) {
    perRead[isTopic(name) ? "kafka" : "mongo"] += read.bytes * Math.min(YEAR, kept?.days ?? YEAR);
  }
  return [
    `Measured on ${measured.date} with ${format(measured.assets)} assets, ${format(measured.reads)} reads and ${format(measured.userDays)} days of users, at a load of ${measured.load.toFixed(0)} on two cores.`,
    "### What grows",
    table(
      ["Collection or topic", "Asset", "Read", "Day of a user", "Removed", "Shard key", "After a year"],
      large.map((row) => [
        `\`${row.name}\``,
        ...[row.asset, row.read, row.userDay].map(({ bytes }) => bytesOf(bytes)),
        removalOf(row.kept),
        keyOf(row.name),
        gib(row.year),
      ]),
    ),
    `${rest.length} other collections and topics are below 1 GiB after a year, together ${gib(total(rest))}.`,
    "### Each database",
    table(
      ["Database", "After a year", `${COPIES} copies`],
      [...groups(rows)].map(([name, own]) => [name, gib(total(own)), gib(total(own) * COPIES)]),
    ),
    "### What reads need",
    capacityTable(RATES.map((rate) => capacityFor(rate, measured.cpuUsOfARead, perRead))),
    "### CPU of a read",
    table(
      ["Process", "Microseconds"],
      Object.entries(measured.cpuUsOfARead)
        .filter(([, us]) => us >= 0.5)
        .map(([name, us]) => [name, us.toFixed(1)]),
    ),
  ].join("\n\n");
}

function capacityTable(capacities: readonly Capacity[]): string {
  const line = (title: string, cell: (capacity: Capacity) => string) => [title, ...capacities.map(cell)];
  const [first] = capacities;
  return table(
    ["", ...capacities.map(({ rate }) => `${format(rate)} reads a second`)],
    [
      ...(first?.processes ?? []).map(({ name }, index) =>
        line(name, ({ processes }) => {
          const { replicas = 0, memoryMiB = 0 } = processes[index] ?? {};
          return `${replicas} (${(memoryMiB / 1_024).toFixed(1)} GiB)`;
        }),
      ),
      line("partitions of `reader-event` and `sighting`", ({ partitions }) => format(partitions)),
      line("brokers, disk of each", ({ brokers, brokerDisk }) => `${brokers}, ${format(brokerDisk)} GiB`),
      line("shards of tagging-ingest, three members each", ({ shards }) => format(shards)),
      line("cores of the primaries for reads", ({ mongoCores }) => mongoCores.toFixed(1)),
      line("disk of a member, reads alone", ({ memberDisk }) => `${format(memberDisk)} GiB`),
    ],
  );
}

const isTopic = (name: string): boolean => name.startsWith("topic ");

function keptOf({ name, kept }: MeasuredPart): Kept | undefined {
  if (isTopic(name)) {
    const topic = Object.values(topics).find((one) => one.name === name.slice("topic ".length));
    return topic && keptByTopic(topic);
  }
  const [service = "", collection = ""] = splitName(name);
  return kept ?? keptByCode(service, collection);
}

const splitName = (name: string): [string, string] => {
  const dot = name.indexOf(".");
  return [name.slice(0, dot), name.slice(dot + 1)];
};

function keyOf(name: string): string {
  if (isTopic(name)) return "";
  const key = shardKeyOf(...splitName(name));
  return key === undefined ? "never" : key.map((field) => `\`${field}\``).join(", ");
}

function removalOf(kept: Kept | undefined): string {
  if (kept === undefined) return "never";
  return kept.days === 0 ? kept.by : `after ${kept.days} days: ${kept.by}`;
}

function groups(rows: readonly Row[]): Map<string, Row[]> {
  const found = Map.groupBy(rows, ({ name }) => (isTopic(name) ? "Kafka" : splitName(name)[0]));
  return new Map([...found].toSorted(([, one], [, other]) => total(other) - total(one)));
}

const total = (rows: readonly Row[]): number => rows.reduce((all, { year }) => all + year, 0);

const format = (number: number): string => Math.ceil(number).toLocaleString("en-US");
const bytesOf = (bytes: number): string => (bytes < 0.5 ? "" : format(bytes));
const gib = (bytes: number): string =>
  bytes >= 10 * GIB ? `${format(bytes / GIB)} GiB` : `${(bytes / GIB).toFixed(1)} GiB`;

/** A table of Markdown, with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

const [BEGIN, END] = ["<!-- growth -->", "<!-- /growth -->"];

/** The document with new tables between its markers. */
export function withTables(document: string, tables: string): string {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The document needs ${BEGIN} and ${END}.`);
  return `${document.slice(0, begin + BEGIN.length)}\n\n${tables}\n\n${document.slice(end)}`;
}
