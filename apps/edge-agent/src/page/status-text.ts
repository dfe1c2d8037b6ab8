import type { Status } from "./status.ts";
import { bufferLines, platformLines, readerLines, type StatusLine } from "./status-lines.ts";

/** The status for a terminal. A line that somebody should look at begins with "!". */
export function statusText(status: Status): string {
  const { by_code } = status.refused;
  const sections: (readonly [string, readonly StatusLine[]])[] = [
    [`Platform (agent ${status.version})`, platformLines(status)],
    ["Buffer", bufferLines(status)],
    ...status.readers.map((reader) => [`Reader ${reader.name}`, readerLines(reader)] as const),
    ...(by_code.length === 0 ? [] : [["Refused by the platform", by_code.map(refusedLine)] as const]),
  ];
  return sections.map(([title, lines]) => `${[title, ...lines.map(lineText)].join("\n")}\n`).join("\n");
}

const lineText = ([label, value, isBad]: StatusLine): string =>
  `${isBad ? "!" : " "} ${label.padEnd(28)} ${value}`;

const refusedLine = ({ reader, code, events }: Status["refused"]["by_code"][number]): StatusLine => [
  `${reader} ${code}`,
  events.toLocaleString("en"),
  true,
];
