import jsonata from "jsonata";
import { z } from "zod";
import { noEpc, parseEpc } from "../formats/epc.ts";
import { collect, type Entry, type Parser } from "../formats/format.ts";
import { antenna, count, dbm, jsonDocuments, NOT_JSON } from "../formats/json.ts";
import { parseReaderTime } from "../formats/reader-time.ts";

/**
 * Bounds of one message. They end an expression that does not end by itself; while it runs, the agent does nothing else.
 */
const BOUNDS = { timeout: 1_000, stack: 200, sequence: 100_000 };

/** A regular expression can run for hours inside one step, where no bound is looked at. */
const NoRegularExpressions = new Proxy(RegExp, {
  construct: () => {
    throw new Error("Regular expressions are not supported.");
  },
});

/** The result of an expression: what POST /ingest/events of the platform takes. */
const result = z.object({
  epc: z.unknown().optional(),
  ts: z.unknown().optional(),
  antenna,
  rssi: dbm,
  count,
});

/** Says why a text is no JSONata expression that can be used, or undefined. */
export function expressionProblem(expression: string): string | undefined {
  try {
    const usesRegex = JSON.stringify(jsonata(expression).ast()).includes('"type":"regex"');
    return usesRegex
      ? "Regular expressions are not supported: use $contains, $split or $substring with text."
      : undefined;
  } catch (error) {
    return `Not a JSONata expression: ${reasonOf(error)}`;
  }
}

/**
 * A parser of any JSON. The expression gives one object or an array of objects with epc, and ts, antenna, rssi and count if
 * they are known. It gives nothing for a message without a read.
 * @throws if the expression has a problem (expressionProblem)
 */
export function createMapping(expression: string): Parser {
  const compiled = jsonata(expression, { ...BOUNDS, RegexEngine: NoRegularExpressions });
  return async (body) => {
    const entries: Entry[] = [];
    for (const document of jsonDocuments(body)) {
      entries.push(...(document === NOT_JSON ? ["The message is not JSON."] : await map(compiled, document)));
    }
    return collect(entries);
  };
}

async function map(expression: jsonata.Expression, document: unknown): Promise<Entry[]> {
  try {
    const found: unknown = await expression.evaluate(document);
    if (found === undefined || found === null) return [];
    return Array.isArray(found) ? found.map(toRead) : [toRead(found)];
  } catch (error) {
    return [`The mapping failed: ${reasonOf(error)}`];
  }
}

function toRead(entry: unknown): Entry {
  const parsed = result.safeParse(entry);
  if (!parsed.success) return "The mapping gave something else than an object.";
  const { epc: text, ts, antenna, rssi, count } = parsed.data;
  const epc = parseEpc(text);
  return epc === undefined ? noEpc(text) : { epc, at: parseReaderTime(ts), antenna, rssi, count };
}

/** JSONata throws objects that are no Error. */
const reasonOf = (error: unknown): string =>
  String((error as { message?: unknown } | undefined)?.message ?? error).slice(0, 200);
