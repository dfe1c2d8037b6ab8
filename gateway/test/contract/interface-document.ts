import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Row } from "./interface-rows.ts";

/** Beside the checkout, where the project's documents lie. */
export const PLACE = path.join(
  import.meta.dirname,
  "../../../../shared/spec/asset-register-service-interface.md",
);

/** A row as the interface shows it; it shows no methods on surface B, nor scopes on surface A. */
export type ShownRow = Pick<Row, "surface" | "path" | "access" | "parameters">;

/** The rows of the interface itself; undefined where it does not lie beside the checkout. */
export function readInterface(): ShownRow[] | undefined {
  if (!existsSync(PLACE)) return undefined;
  const text = readFileSync(PLACE, "utf8");
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

function rowOfA([method = "", path = "", parameters = ""]: string[]): ShownRow[] {
  if (!path.startsWith("/")) return [];
  return [{ surface: "a", path: `${method} ${path}`, access: "", parameters: parametersOf(parameters) }];
}

function rowsOfB([path = "", cap = "", parameters = ""]: string[]): ShownRow[] {
  if (!path.startsWith("/")) return [];
  const row: ShownRow = {
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

/** "code or epc, location_id?, method (qr, rfid)" names code, epc, location_id and method. */
function parametersOf(text: string): string[] {
  const plain = text.replace(/\([^)]*\)/g, "").replace("path id", "id");
  const [before = "", items] = plain.split(": list of objects with ");
  const names = (part: string): string[] =>
    part.match(/[a-z_]+(?=[?[\], ]|$)/g)?.filter((name) => !WORDS.has(name)) ?? [];
  return [...names(before), ...names(items ?? "").map((name) => `${before.trim()}.${name}`)];
}

const WORDS = new Set(["or", "none"]);

/** The one section that is prose: every path in it needs view. */
function reports(surfaceB: string): ShownRow[] {
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
