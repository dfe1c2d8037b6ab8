import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../src/config/load.ts";
import { inputConfig } from "../src/inputs/inputs.ts";

const text = readFileSync(path.join(import.meta.dirname, "../docs/connect.md"), "utf8");
const blocks = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => yaml!);
const [readers, parts] = [
  blocks.filter((yaml) => yaml.startsWith("- ")),
  blocks.filter((yaml) => !yaml.startsWith("- ")),
];

/** Every variable has a value that is long enough for a password. */
const env = Object.fromEntries(
  [...text.matchAll(/\$\{([A-Z0-9_]+)\}/g)].map(([, name]) => [name!, "0123456789"]),
);

test("all entries of connect.md together are a valid configuration, with an example of every input", () => {
  const entries = readers.map((yaml) => yaml.replaceAll(/^(?=.)/gm, "  ")).join("");
  const yaml = `platform: { url: https://assets.example.com }\ndata: /tmp\n${parts.join("")}readers:\n${entries}`;
  const config = parseConfig(yaml, env);
  expect(config.readers).toHaveLength(readers.length);
  const types = inputConfig.options.map(({ shape }) => [...shape.type.values][0]);
  expect(new Set(config.readers.map(({ input }) => input.type))).toEqual(new Set(types));
});

test("every link of connect.md to one of its sections leads there", () => {
  const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
  for (const [, anchor] of text.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor);
});
