import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ConfigError, loadConfig, parseConfig } from "./load.ts";

const LEAST = `
platform: { url: https://assets.example.com }
data: /tmp/agent
readers:
  - name: desk
    input: { type: lines, path: /dev/ttyUSB0 }
`;

function problemsOf(text: string, env: Record<string, string> = {}): readonly string[] {
  try {
    parseConfig(text, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("the example is valid", () => {
  const file = path.join(import.meta.dirname, "../../agent.example.yaml");
  const config = loadConfig(file, { GATE_1_PASSWORD: "password-1", GATE_2_TOKEN: "token-of-gate-2" });
  expect(config.readers.map(({ name, input }) => [name, input.type])).toEqual([
    ["gate-1", "http"],
    ["gate-2", "http"],
    ["dock", "llrp"],
    ["desk", "lines"],
  ]);
  expect(config.readers[0]?.input).toMatchObject({ auth: { password: "password-1" } });
});

test("what a configuration leaves out has a default", () => {
  expect(parseConfig(LEAST, {})).toMatchObject({
    buffer: { max_bytes: 2 ** 31, when_full: "refuse" },
    thinning: { window: 1000, epc_prefixes: [] },
    page: { address: { host: "127.0.0.1", port: 8970 } },
  });
});

test("every problem is listed with its line and path", () => {
  const text = `platform: { url: assets.example.com }
data: /tmp/agent
buffer: { max_bytes: 2 gigabytes }
readers:
  - name: gate 1
    input: { type: http, format: json, auth: none }
  - name: desk
    colour: red
    input: { type: fax }
`;
  expect(problemsOf(text)).toEqual([
    expect.stringMatching(/^line 1: platform.url: /),
    expect.stringMatching(/^line 3: buffer.max_bytes: must look like/),
    expect.stringMatching(/^line 5: readers.0.name: must have 1 to 64/),
    expect.stringMatching(/^line 9: readers.1.input.type: /),
    expect.stringMatching(/^line 7: readers.1: .*colour/),
  ]);
});

test("rules between parts are checked: names, the address for posts, the password of the page", () => {
  const text = `platform: { url: "https://assets.example.com" }
data: /tmp/agent
page: { address: "0.0.0.0:8970" }
readers:
  - { name: gate, input: { type: http, format: json, auth: none } }
  - { name: gate, input: { type: lines, path: "-" } }
  - { name: desk, platform_reader: gate, input: { type: lines, path: "-" } }
  - { name: dock, secret: rdsec_1, input: { type: lines, path: "-" } }
`;
  expect(problemsOf(text)).toEqual([
    "line 3: page.password: is needed, because other machines reach the page",
    "line 5: readers.0.input: needs `http`, the address where readers post their reads",
    "line 6: readers.1.name: is the name of another reader: gate",
    "line 7: readers.2.platform_reader: is sent by another reader: gate",
    "line 8: readers.3.platform_reader: has to be the id (rdr_...), because a secret is given",
  ]);
});

test("a variable that is not set and a file that is missing are problems of their place", () => {
  const text = LEAST.replace(
    "name: desk",
    `name: desk\n    platform_reader: rdr_1\n    secret: \${DESK_SECRET}`,
  ).replace("/tmp/agent", "file:/no/such/file");
  expect(problemsOf(text)).toEqual([
    expect.stringMatching(/^line 3: data: cannot be read: ENOENT/),
    "line 7: readers.0.secret: The environment variable DESK_SECRET is not set.",
  ]);
});

test("a secret comes from the environment or from a file, and no problem shows it", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-config-"));
  const file = path.join(directory, "secret");
  writeFileSync(file, "rdsec_fromfile\n");
  const withSecret = (secret: string) =>
    LEAST.replace("name: desk", `name: desk\n    platform_reader: rdr_1\n    secret: ${secret}`);
  expect(parseConfig(withSecret(`file:${file}`), {}).readers[0]?.secret).toBe("rdsec_fromfile");
  expect(parseConfig(withSecret(`\${S}`), { S: "rdsec_fromenv" }).readers[0]?.secret).toBe("rdsec_fromenv");
  expect(problemsOf(withSecret(`\${S}`), { S: "hunter2" }).join()).not.toContain("hunter2");
  rmSync(directory, { recursive: true });
});

test("broken YAML and a missing file are problems too", () => {
  expect(problemsOf("platform: { url: ")).toEqual([expect.stringMatching(/^line 1: /)]);
  expect(() => loadConfig("/no/such/file.yaml", {})).toThrow(ConfigError);
  expect(problemsOf("")).toHaveLength(1);
});

test("each setting of the example's comments is known", () => {
  const file = path.join(import.meta.dirname, "../../agent.example.yaml");
  const text = readFileSync(file, "utf8").replace(
    /^( *)# (proxy|ca|epc_prefixes|password|tls): /gm,
    "$1$2: ",
  );
  const env = {
    GATE_1_PASSWORD: "password-1",
    GATE_2_TOKEN: "token-of-gate-2",
    AGENT_PAGE_PASSWORD: "password-3",
  };
  expect(problemsOf(text, env)).toEqual([]);
});
