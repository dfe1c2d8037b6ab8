import { z } from "zod";
import { parse as parseImpinj } from "../impinj/parser.ts";
import { parse as parseJson } from "../json.ts";
import { createMapping, expressionProblem } from "../mapping/mapping.ts";
import { parse as parseZebra } from "../zebra/parser.ts";
import type { Parser } from "./format.ts";

/** The formats of messages that readers send by HTTP POST or MQTT. A new one needs a line here. */
const FORMATS = { json: parseJson, impinj: parseImpinj, zebra: parseZebra } satisfies Record<string, Parser>;

const expression = z
  .string()
  .min(1)
  .max(10_000)
  .superRefine((text, context) => {
    const problem = expressionProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });

/** The name of a format, or `{ mapping: EXPRESSION }` for any other JSON. */
export const formatSetting = z.union([
  z.literal(["json", "impinj", "zebra"]),
  z.strictObject({ mapping: expression }),
]);

export type FormatSetting = z.infer<typeof formatSetting>;

export const parserOf = (format: FormatSetting): Parser =>
  typeof format === "string" ? FORMATS[format] : createMapping(format.mapping);
