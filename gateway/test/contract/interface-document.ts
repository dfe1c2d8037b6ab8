import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Row } from "./interface-rows.ts";

/** The interface document. It is not part of the repository, but beside the checkout. */
export const INTERFACE_PATH = path.join(
  import.meta.dirname,
  "../../../../shared/spec/asset-register-service-interface.md",
);

/** The parts of a row that the interface document has. It has no methods on surface B and no scopes on surface A. */
export type DocumentRow = Pick<Row, "surface" | "path" | "access" | "parameters">;

/** The rows of the interface document; undefined when the document is missing. */
export function readInterface(): DocumentRow[] | undefined {
  if (!existsSync(INTERFACE_PATH)) return undefined;
  const text = readFileSync(INTERFACE_PATH, "utf8");
  const [surfaceA = "", surfaceB = ""] = between(text, "## 4.", "## 5.").split("### Surface B");
  return [
    ...tableRows(surfaceA).flatMap(rowOfA),
    ...tableRows(surfaceB).flatMap(rowsOfB),
    ...reports(surfaceB),
  ];
}

const between = (text: string, start: string, end: string): string =>
  text.slice(text.indexOf(start), text.indexOf(end));

const tableRows = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );

function rowOfA([method = "", path = "", parameters = ""]: string[]): DocumentRow[] {
  if (!path.startsWith("/")) return [];
  return [{ surface: "a", path: `${method} ${path}`, access: "", parameters: parametersOf(parameters) }];
}

function rowsOfB([path = "", cap = "", parameters = ""]: string[]): DocumentRow[] {
  if (!path.startsWith("/")) return [];
  const row: DocumentRow = {
    surface: "b",
    path,
    access: ACCESS[cap] ?? cap,
    parameters: parametersOf(parameters),
  };
  return parameters.includes("(two rows)") ? [row, row] : [row];
}

const ACCESS: Record<string, string> = {
  "signed in (own session), or admin": "own or admin",
  "reader (HMAC)": "reader",
};

/** "code or epc, location_id?, method (qr, rfid)" contains the names code, epc, location_id and method. */
function parametersOf(text: string): string[] {
  const plain = text.replace(/\([^)]*\)/g, "").replace("path id", "id");
  const [before = "", items] = plain.split(": list of objects with ");
  const names = (part: string): string[] =>
    part.match(/[a-z_]+(?=[?[\], ]|$)/g)?.filter((name) => !WORDS.has(name)) ?? [];
  return [...names(before), ...names(items ?? "").map((name) => `${before.trim()}.${name}`)];
}

const WORDS = new Set(["or", "none"]);

/** The rows of the one section without a table. Every path in it needs the capability view. */
function reports(surfaceB: string): DocumentRow[] {
  const prose = between(surfaceB, "#### Reports and exports", "#### Readers");
  return [...prose.matchAll(/(\/(?:reports|export)\/[\w\-./{}]*[\w}])(?: with parameter (\w+))?/g)].map(
    ([, path = "", parameter]) => ({
      surface: "b",
      path,
      access: "view",
      parameters: parameter === undefined ? [] : [parameter],
    }),
  );
}
