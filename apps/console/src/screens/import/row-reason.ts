import i18next from "i18next";
import type { Schemas } from "../../api/client.ts";

type Problem = Pick<Schemas["ImportRow"]["errors"][number], "code" | "message">;

/** The texts for what the API says about a cell, which is English. */
const known = [
  [/^is required$/, () => i18next.t("importing.because.required")],
  [/^does not exist$/, () => i18next.t("importing.because.notFound")],
  [/^names (\d+) records/, (count) => i18next.t("importing.because.ambiguous", { count: Number(count) })],
  [/^must be an amount/, () => i18next.t("importing.because.amount")],
  [/^must be a date/, () => i18next.t("importing.because.date")],
  [/^must not be negative$/, () => i18next.t("importing.because.negative")],
  [
    /^must have at most (\d+) characters$/,
    (count) => i18next.t("importing.because.length", { count: Number(count) }),
  ],
  [
    /^must be a whole number from (\d+) to (\d+)$/,
    (from, to) => i18next.t("importing.because.range", { from, to }),
  ],
  [/^The row has more cells/, () => i18next.t("importing.because.cells")],
  [/^is the same as in row (\d+)$/, (row) => i18next.t("importing.because.same", { row })],
] as const satisfies readonly (readonly [RegExp, (...parts: string[]) => string])[];

const codes: Partial<Record<string, () => string>> = {
  ASSET_NUMBER_TAKEN: () => i18next.t("importing.because.numberTaken"),
  CUSTOM_FIELD_VALUE_TAKEN: () => i18next.t("importing.because.valueTaken"),
};

/** Why a row is refused, in the language of the page; what is not known, as the API says it. */
export function reasonOfRow({ code, message }: Problem): string {
  for (const [pattern, text] of known) {
    const found = pattern.exec(message);
    if (found !== null) return (text as (...parts: string[]) => string)(...found.slice(1));
  }
  return codes[code]?.() ?? message;
}
