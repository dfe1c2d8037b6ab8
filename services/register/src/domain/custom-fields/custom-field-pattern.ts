import { RE2JS } from "re2js";

/** Instructions of a compiled pattern: with a text of 200 characters a match takes about a millisecond. */
const MAX_PROGRAM = 250;

/** Why a text is no pattern of a custom field. Undefined for a pattern. */
export function patternProblem(pattern: string): string | undefined {
  try {
    if (RE2JS.compile(pattern).programSize() > MAX_PROGRAM) return "is too complex";
    return undefined;
  } catch {
    return "is not a regular expression in the syntax of RE2";
  }
}

/** Whether the pattern matches the whole text. The time is linear in the length of the text. */
export function matchesWhole(pattern: string, text: string): boolean {
  return RE2JS.compile(pattern).matches(text);
}
