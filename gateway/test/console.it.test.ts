import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { readConsole } from "../src/console/console-files.ts";
import { startGateway } from "./gateway.ts";

const SCRIPT = "console.log(1);".repeat(100);

/** A console as its build makes it. */
async function built(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "console-"));
  await mkdir(path.join(folder, "files"));
  await writeFile(path.join(folder, "index.html"), '<script nonce="__CSP_NONCE__" src="/app/files/a-1.js">');
  await writeFile(path.join(folder, "files/a-1.js"), SCRIPT);
  await writeFile(path.join(folder, "files/a-1.js.gz"), gzipSync(SCRIPT));
  await writeFile(path.join(folder, "icon.svg"), "<svg/>");
  return folder;
}

const folder = await built();
const PUBLIC_URL = "http://localhost:8080";
const demo = { email: "demo@example.com", password: "not a secret" };
const gateway = await startGateway({
  settings: { CONSOLE_DIR: folder, PUBLIC_URL, DEMO_SIGN_IN: path.join(folder, "demo-access.json") },
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const read = (url: string, headers: Record<string, string> = {}) =>
  fetch(gateway.url + url, { headers: { "accept-encoding": "identity", ...headers }, redirect: "manual" });

describe("the console", () => {
  test("is one page at each address below /app/, with a fresh nonce that its policy names", async () => {
    const nonces = new Set<string>();
    for (const url of ["/app/", "/app/assets", "/app/assets/ast_1?tab=history", "/app/index.html"]) {
      const response = await read(url);
      expect(response.status, url).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      const policy = response.headers.get("content-security-policy") ?? "";
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
      expect(await response.text()).toBe(`<script nonce="${nonce}" src="/app/files/a-1.js">`);
      expect(policy).not.toMatch(/unsafe-inline|\*/);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(4);
  });

  test("its files with a hash in their names never change; another version's file is 404 and not the page", async () => {
    const file = await read("/app/files/a-1.js");
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(file.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await file.text()).toBe(SCRIPT);
    const packed = await read("/app/files/a-1.js", { "accept-encoding": "gzip" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(await packed.text()).toBe(SCRIPT);
    expect((await read("/app/files/b-2.js")).status).toBe(404);
    expect((await read("/app/files/..%2findex.html")).status).toBe(404);
  });

  test("its other files are revalidated", async () => {
    const icon = await read("/app/icon.svg");
    expect(icon.headers.get("cache-control")).toBe("no-cache");
    const known = await read("/app/icon.svg", { "if-none-match": icon.headers.get("etag") ?? "" });
    expect(known.status).toBe(304);
  });

  test("the root leads to it, at the address of the platform", async () => {
    for (const url of ["/", "/app"]) {
      const response = await read(url);
      expect([response.status, response.headers.get("location")]).toEqual([302, `${PUBLIC_URL}/app/`]);
    }
  });

  test("offers the sign-in of the demo, and nothing else of its file, when there is one", async () => {
    expect(await (await read("/app/demo.json")).json()).toEqual({});
    await writeFile(
      path.join(folder, "demo-access.json"),
      JSON.stringify({ ...demo, api_key: "ask_live_1" }),
    );
    expect(await (await read("/app/demo.json")).json()).toEqual(demo);
  });

  test("a folder without a build is refused at boot, with the command that makes one", () => {
    expect(() => readConsole(path.join(folder, "files"))).toThrow(/npm run build -w apps\/console/);
  });
});

test("without CONSOLE_DIR there is no console, and the API works", async () => {
  const bare = await startGateway();
  for (const url of ["/", "/app/", "/app/files/a-1.js"]) {
    const response = await fetch(bare.url + url, { redirect: "manual" });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, "NOT_FOUND"]);
  }
  expect((await fetch(`${bare.url}/asset_manager_api/me`)).status).toBe(401);
  await bare.stop();
});
