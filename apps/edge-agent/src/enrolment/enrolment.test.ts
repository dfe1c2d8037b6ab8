import { createHash, createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlatformClock } from "../clock/platform-clock.ts";
import type { Answer, PlatformClient } from "../upload/platform-client.ts";
import { enrol } from "./agents-api.ts";
import { findCredentials } from "./credentials.ts";
import type { Enrolment } from "./enrolment.ts";
import { createEnrolmentFile } from "./enrolment-file.ts";
import { createSecretSync } from "./secret-sync.ts";

const gate = { id: "rdr_1", name: "Gate", kind: "fixed_portal", secret: "rdsec_1" };
const enrolment: Enrolment = { agent: { id: "agt_1", name: "Site" }, secret: "agsec_1", readers: [gate] };
const log = { info() {}, warn() {}, error() {} };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "edge-agent-enrolment-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

type Post = { path: string; headers: Record<string, string>; body: string };

/** Answers as the contract of the platform says. */
function platform(answer: (post: Post, count: number) => Omit<Answer, "retryAfterMs">) {
  const posts: Post[] = [];
  const client: PlatformClient = {
    async post(path, headers, body) {
      posts.push({ path, headers, body: new TextDecoder().decode(body) });
      return { retryAfterMs: undefined, ...answer(posts.at(-1)!, posts.length) };
    },
    close: async () => {},
  };
  return { client, posts };
}

describe("the file of the secrets", () => {
  test("is readable for its user only", () => {
    createEnrolmentFile(directory, undefined).write(enrolment);
    expect(statSync(path.join(directory, "enrolment.json")).mode & 0o777).toBe(0o600);
    expect(createEnrolmentFile(directory, undefined).read()).toEqual(enrolment);
  });

  test("contains no secret when it is encrypted, and is read with its key only", () => {
    const key = randomBytes(32).toString("base64");
    createEnrolmentFile(directory, key).write(enrolment);
    const text = readFileSync(path.join(directory, "enrolment.json"), "utf8");
    expect(text).not.toMatch(/agsec_1|rdsec_1|rdr_1/);
    expect(createEnrolmentFile(directory, key).read()).toEqual(enrolment);
    expect(() => createEnrolmentFile(directory, undefined).read()).toThrow("AGENT_KEY is not set");
    const other = createEnrolmentFile(directory, randomBytes(32).toString("base64"));
    expect(() => other.read()).toThrow("another AGENT_KEY");
  });

  test("is missing before the enrolment", () => {
    expect(createEnrolmentFile(directory, undefined).read()).toBeUndefined();
  });

  test("a key of another length is refused", () => {
    expect(() => createEnrolmentFile(directory, "c2hvcnQ=")).toThrow("32 bytes in base64");
  });
});

describe("enrolling", () => {
  test("a token becomes the agent's secret and its readers", async () => {
    const { client, posts } = platform(() => ({ status: 200, body: { ...enrolment, more: 1 } }));
    expect(await enrol(client, "token-1")).toEqual(enrolment);
    expect(posts).toEqual([
      { path: "/asset_manager_api/agents/enrol", headers: {}, body: '{"token":"token-1"}' },
    ]);
  });

  test("a used token is reported with the platform's code", async () => {
    const { client } = platform(() => ({
      status: 401,
      body: { code: "AGENT_TOKEN_INVALID", message: "Used." },
    }));
    await expect(enrol(client, "token-1")).rejects.toMatchObject({
      code: "AGENT_TOKEN_INVALID",
      message: "Used.",
    });
  });

  test("the answer of another server is reported as such", async () => {
    const { client } = platform(() => ({ status: 200, body: undefined }));
    await expect(enrol(client, "token-1")).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
  });
});

describe("updating the secrets", () => {
  const start = (answer: Parameters<typeof platform>[0]) => {
    const file = createEnrolmentFile(directory, undefined);
    file.write(enrolment);
    const { client, posts } = platform(answer);
    const clock = createPlatformClock({ wall: () => 1_767_225_600_000, monotonic: () => 0 });
    const report = () => ({ version: "1.0.0", buffer: { rows: 3, oldest_at: null } });
    let changes = 0;
    const onChange = (): void => {
      changes += 1;
    };
    const sync = createSecretSync({ client, clock, file, report, onChange, log });
    return { sync, posts, file, changes: () => changes };
  };
  const rotated = { ...enrolment, readers: [{ ...gate, secret: "rdsec_2" }] };
  const { secret: _, ...withoutSecret } = rotated;

  test("a rotated secret is used and stored", async () => {
    const { sync, posts, file, changes } = start(() => ({ status: 200, body: withoutSecret }));
    expect(await sync.now()).toBe(true);
    expect(changes()).toBe(1);
    expect([sync.enrolment(), file.read()]).toEqual([rotated, rotated]);
    expect(JSON.parse(posts[0]!.body)).toEqual({ version: "1.0.0", buffer: { rows: 3, oldest_at: null } });
  });

  test("the request is signed with the agent's secret as the contract says", async () => {
    const { sync, posts } = start(() => ({ status: 200, body: withoutSecret }));
    await sync.now();
    const { path: target, headers, body } = posts[0]!;
    const digest = createHash("sha256").update(body).digest("hex");
    const text = `v1\nPOST\n${target}\nagt_1\n1767225600\n${headers["x-agent-nonce"]}\n${digest}`;
    const expected = createHmac("sha256", "agsec_1").update(text).digest("hex");
    expect(headers).toMatchObject({
      ...{ "x-agent-id": "agt_1", "x-agent-timestamp": "1767225600", "x-agent-signature": `v1=${expected}` },
    });
  });

  test("many calls at the same moment make one request, and the next one waits a while", async () => {
    const { sync, posts } = start(() => ({ status: 200, body: withoutSecret }));
    expect(await Promise.all([sync.now(), sync.now(), sync.now()])).toEqual([true, true, true]);
    expect(await sync.now()).toBe(false);
    expect(posts).toHaveLength(1);
  });

  test("an agent that is enrolled again while it runs uses its new secret", async () => {
    const { sync, file, changes } = start(() => ({ status: 503, body: undefined }));
    sync.start();
    const again = { ...enrolment, secret: "agsec_2" };
    file.write(again);
    await eventually(() => expect(sync.enrolment()).toEqual(again));
    expect(changes()).toBe(1);
    sync.stop();
  });

  test("a first 401 may come from a wrong clock, so it is tried once more; a second one is a problem", async () => {
    const refused = {
      status: 401,
      body: { code: "AGENT_SIGNATURE_INVALID", message: "The signature is wrong." },
    };
    const wrongClock = start((_, count) => (count === 1 ? refused : { status: 200, body: withoutSecret }));
    expect(await wrongClock.sync.now()).toBe(true);
    const revoked = start(() => refused);
    expect(await revoked.sync.now()).toBe(false);
    expect(revoked.sync.problem()).toBe("The signature is wrong.");
    expect(revoked.sync.enrolment()).toEqual(enrolment);
  });
});

describe("the credentials of a reader", () => {
  const input = { type: "lines" as const, path: "-" };

  test("come from the configuration, else from the enrolment by id or name", () => {
    const own = { name: "gate", platform_reader: "rdr_9", secret: "rdsec_9", input };
    expect(findCredentials(own, enrolment)).toEqual({ id: "rdr_9", secret: "rdsec_9" });
    const known = { id: "rdr_1", secret: "rdsec_1" };
    expect(findCredentials({ name: "x", platform_reader: "rdr_1", input }, enrolment)).toEqual(known);
    expect(findCredentials({ name: "Gate", input }, enrolment)).toEqual(known);
  });

  test("are missing when the platform does not know the reader, or knows two with its name", () => {
    expect(findCredentials({ name: "dock", input }, enrolment)).toBeUndefined();
    expect(findCredentials({ name: "dock", input }, undefined)).toBeUndefined();
    const twice = { ...enrolment, readers: [gate, { ...gate, id: "rdr_2" }] };
    expect(findCredentials({ name: "Gate", input }, twice)).toBeUndefined();
  });
});
