import { z } from "zod";

/** The JSON of a body: one document, or one on each line. A part that is no JSON is NOT_JSON, so that it is counted. */
export function jsonDocuments(body: Buffer): unknown[] {
  const text = body.toString("utf8").trim();
  if (text === "") return [];
  const whole = parseJson(text);
  if (whole !== NOT_JSON) return [whole];
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.map(parseJson);
}

/** The entries of a body: its documents, or their elements if they are arrays. */
export const jsonEntries = (body: Buffer): unknown[] => jsonDocuments(body).flat();

/** A part of a body that is no JSON. */
export const NOT_JSON = Symbol("not JSON");

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

const numeric = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+([.]\d+)?$/)
    .transform(Number),
]);

/** A field of another type or size is left out: the tag was read, also if its signal strength is not known. */
const within = (min: number, max: number) =>
  numeric.pipe(z.number().min(min).max(max)).optional().catch(undefined);
const integerWithin = (min: number, max: number) =>
  numeric.pipe(z.int().min(min).max(max)).optional().catch(undefined);

/** The limits of the platform (POST /ingest/events). */
export const antenna = integerWithin(1, 65_535);
export const count = integerWithin(1, 1_000_000);
export const dbm = within(-200, 100);

/** Hundredths of a dBm, as Impinj reports them. */
export const centiDbm = within(-20_000, 10_000);
