import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { createKeyring, createLogger, type KeyringSetting } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { sealedFieldsOf, servicesWithSecrets } from "../src/sealed-fields.ts";

const MAIN = path.resolve(import.meta.dirname, "../src/main.ts");
const SERVICES = path.resolve(import.meta.dirname, "../../../services");
const run = promisify(execFile);

type Outcome = { code: number; out: string; err: string };

async function cli(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const rest = { PATH: process.env.PATH, NODE_ENV: "development", MONGO_URL: testServers().mongoUrl };
  try {
    const { stdout, stderr } = await run(process.execPath, [MAIN, ...args], { env: { ...rest, ...env } });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

const rows = ({ out }: Outcome): unknown[] =>
  out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

type Hook = {
  _id: string;
  workspaceId: string;
  secret: ReturnType<ReturnType<typeof createKeyring>["encrypt"]>;
};

test("a key change as in the README: after rewrap no secret is encrypted with the old key, and the process log has it", async () => {
  const database = freshDatabase();
  const keys = { k1: randomBytes(32).toString("base64"), k2: randomBytes(32).toString("base64") };
  const place = (recordId: string) => ({ service: "notification", collection: "endpoints", recordId });
  const logger = createLogger({ service: "test", level: "silent" });
  const mongo = await connectMongo({ url: testServers().mongoUrl, database, logger });
  onTestFinished(() => mongo.close());
  const before = createKeyring({ active: "k1", keys });
  const hooks = ["whk_1", "whk_2", "whk_3"].map((_id) => ({
    ...{ _id, workspaceId: "wsp_1" },
    secret: before.encrypt(`whsec_${_id}`, place(_id)),
  }));
  await mongo.collection<Hook>("endpoints").insertMany(hooks);

  const at = (keyring: KeyringSetting) => ({ MONGO_DATABASE: database, KEYRING: JSON.stringify(keyring) });
  const both = at({ active: "k2", keys });
  const secrets = { collection: "endpoints", path: "secret", secrets: 3 };
  const status = (env: Record<string, string>) => cli(env, "secrets", "status", "notification", "--json");
  expect(rows(await status(both))).toEqual([{ ...secrets, key_id: "k1", key: "old" }]);
  const done = await cli(both, "secrets", "rewrap", "notification", "--batch", "2", "--json");
  expect(rows(done)[0]).toMatchObject({ collection: "endpoints", rewrapped: 3, unreadable: "" });
  const [logged] = rows({ ...done, out: done.err }) as Record<string, unknown>[];
  expect(logged).toMatchObject({
    message: "secrets rewrapped",
    secrets_of: "notification",
    collection: "endpoints",
  });
  expect(logged).toMatchObject({ rewrapped: 3, key_id: "k2", operator: expect.stringMatching(/./) });
  const after = at({ active: "k2", keys: { k2: keys.k2 } });
  expect(rows(await status(after))).toEqual([{ ...secrets, key_id: "k2", key: "active" }]);
  const ring = createKeyring({ active: "k2", keys: { k2: keys.k2 } });
  for (const { _id, secret } of await mongo
    .collection<Hook>("endpoints")
    .find({ workspaceId: "wsp_1" })
    .toArray()) {
    expect(ring.decrypt(secret, place(_id)).toString()).toBe(`whsec_${_id}`);
  }
  const missingKey = await status(at({ active: "k1", keys: { k1: keys.k1 } }));
  expect(missingKey).toMatchObject({ code: 1, err: expect.stringContaining("lacks a key that is in use") });
  const refused = await cli(at({ active: "k1", keys: { k1: keys.k1 } }), "secrets", "rewrap", "notification");
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^KEYRING lacks the key "k2"/) });
}, 600_000);

test("an unknown service or a missing KEYRING is reported in one sentence", async () => {
  expect(await cli({}, "secrets", "status", "gateway")).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      'No service "gateway" keeps secrets. Services with secrets: finance, identity',
    ),
  });
  const unset = await cli({}, "secrets", "rewrap", "notification");
  expect(unset).toMatchObject({ code: 1, err: expect.stringContaining("KEYRING: is not set") });
});

test("every service with a KEYRING setting lists its sealed fields", async () => {
  // serviceSettings() of packages/service includes KEYRING.
  const withKeyring = readdirSync(SERVICES).filter((service) =>
    /KEYRING|serviceSettings\(/.test(readFileSync(path.join(SERVICES, service, "src/config.ts"), "utf8")),
  );
  expect(servicesWithSecrets()).toEqual(withKeyring);
  for (const service of withKeyring) expect(await sealedFieldsOf(service)).not.toEqual([]);
});
