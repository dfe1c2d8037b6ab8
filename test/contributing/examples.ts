/** A code block of a Markdown file whose first line names a file, for example "```ts services/register/src/app.ts". */
export type Example = { language: string; file: string; text: string };

/** The code blocks of a Markdown text that name a file, in order. */
export function examplesOf(markdown: string): Example[] {
  const blocks = markdown.matchAll(/^```(?<language>\w+) (?<file>\S+)\n(?<text>.*?)^```$/gms);
  return [...blocks].map(({ groups }) => groups as Example);
}

/** The lines that a diff adds. */
export const addedLines = (diff: string): string[] => diff.split("\n").filter((line) => line.startsWith("+"));

/**
 * Applies a diff that only adds lines. Each added line follows the line that is above it in the diff; "..." separates
 * two places.
 *
 * @throws Error if a line of the diff is not in the text
 */
export function applyDiff(text: string, diff: string): string {
  const lines = text.split("\n");
  let at = 0;
  for (const line of diff.split("\n").slice(0, -1)) {
    if (line === "...") continue;
    if (line.startsWith("+")) {
      lines.splice(at, 0, line.slice(1));
      at += 1;
      continue;
    }
    const found = lines.indexOf(line.slice(1), at);
    if (found < 0) throw new Error(`The file has no line "${line.slice(1)}"`);
    at = found + 1;
  }
  return lines.join("\n");
}
