import { readFileSync } from "node:fs";
import path from "node:path";
import { topicConfig } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { expect, test } from "vitest";
import { isMap, isScalar, parseDocument, stringify, type YAMLMap } from "yaml";
import { CHART } from "./chart.ts";

const COMMAND = "npx vitest run deploy/helm/test/generated -u";

test("files/topics.yaml has the settings of every topic, for Strimzi", async () => {
  const configs = Object.values(topics).map((topic) => [topic.name, topicConfig(topic, 3)] as const);
  const content = stringify(Object.fromEntries(configs), { lineWidth: 0 });
  await expect(`# Generated from proto/topics.ts by \`${COMMAND}\`.\n${content}`).toMatchFileSnapshot(
    "../files/topics.yaml",
  );
});

test("the README has every value with its default and meaning", async () => {
  const readme = readFileSync(path.join(CHART, "README.md"), "utf8");
  const marker = `<!-- Generated from values.yaml by \`${COMMAND}\`. -->`;
  const [head = ""] = readme.split(marker);
  expect(head).not.toBe(readme);
  await expect(`${head}${marker}\n\n${table(valuesOf())}\n`).toMatchFileSnapshot("../README.md");
});

test("every value that has to be set, or that has no obvious meaning, is described", () => {
  const described = valuesOf().filter(([, , meaning]) => meaning !== "");
  expect(described.length).toBeGreaterThan(60);
  expect(described.filter(([, , meaning = ""]) => meaning.startsWith("Required")).length).toBeGreaterThan(6);
});

type Row = [name: string, value: string, meaning: string];

/** The leaves of values.yaml. Their meaning is the comment that begins with "--". */
function valuesOf(): Row[] {
  const document = parseDocument(readFileSync(path.join(CHART, "values.yaml"), "utf8"));
  if (!isMap(document.contents)) throw new Error("values.yaml is not a map");
  return leaves(document.contents, "", document.commentBefore ?? undefined);
}

function leaves(map: YAMLMap, prefix: string, before?: string): Row[] {
  return map.items.flatMap((pair, index): Row[] => {
    if (!isScalar(pair.key)) throw new Error(`a key of ${prefix} is not a text`);
    const name = `${prefix}${pair.key.value}`;
    // The comment of the first key belongs to its map.
    const comment = pair.key.commentBefore ?? (index === 0 ? (map.commentBefore ?? before) : undefined);
    const meaning = /^ -- (.*)$/m.exec(comment ?? "")?.[1] ?? "";
    const { value } = pair;
    if (isMap(value) && value.items.length > 0 && meaning === "" && !value.flow)
      return leaves(value, `${name}.`);
    const text = isMap(value) || !isScalar(value) ? JSON.stringify(value) : JSON.stringify(value.value);
    return [[`\`${name}\``, `\`${text}\``, meaning]];
  });
}

/** A Markdown table in the style of the formatter: each column is as wide as its widest cell. */
function table(rows: readonly Row[]): string {
  const all = [["Value", "Default", "Meaning"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = all;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}
