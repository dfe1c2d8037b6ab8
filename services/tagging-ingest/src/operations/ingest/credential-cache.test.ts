import { createKeyring } from "@asset-register/runtime";
import { expect, it } from "vitest";
import { secretPlace } from "../../domain/ingest/reader-secret.ts";
import { signingKey } from "../../domain/ingest/signing.ts";
import { createCredentialCache } from "./credential-cache.ts";

const keyring = createKeyring({ active: "k1", keys: { k1: Buffer.alloc(32, 1).toString("base64") } });

/** A cache with one reader in its store, and the ids that were asked for. */
function cacheOf(readerId: string) {
  const asked: string[] = [];
  const store = {
    async load(ids: readonly string[]) {
      asked.push(...ids);
      return ids.includes(readerId)
        ? [{ readerId, workspaceId: "wsp_1", version: 1, enterprise: false, slowMs: 0, secrets: [] }]
        : [];
    },
  };
  return { asked, cache: createCredentialCache(store, keyring, () => new Date(0)) };
}

it("the credential of a reader stays in the cache when many invented ids are asked for", async () => {
  const { asked, cache } = cacheOf("rdr_1");
  await cache.get(["rdr_1"]);
  await cache.get(Array.from({ length: 60_000 }, (_, index) => `rdr_made_up_${index}`));
  asked.length = 0;
  expect((await cache.get(["rdr_1"])).get("rdr_1")).toMatchObject({ workspaceId: "wsp_1" });
  expect(asked).toEqual([]);
});

it("an id that is longer than any id of a reader is never asked for", async () => {
  const { asked, cache } = cacheOf("rdr_1");
  const id = "x".repeat(15_000);
  expect((await cache.get([id])).get(id)).toMatchObject({ keys: [], version: 0 });
  expect(asked).toEqual([]);
});

it("keys are made again only when the version or the number of secrets has changed", async () => {
  const sealed = (text: string) => ({ sealed: keyring.encrypt(Buffer.from(text), secretPlace("rdr_1")) });
  let stored = { version: 1, secrets: [sealed("first")] };
  const load = async () => [
    { readerId: "rdr_1", workspaceId: "wsp_1", enterprise: false, slowMs: 0, ...stored },
  ];
  const cache = createCredentialCache({ load }, keyring, () => new Date(0));
  const keys = async () => {
    const { keys = [] } = (await cache.get(["rdr_1"], 0)).get("rdr_1") ?? {};
    return keys.map(({ key }) => key);
  };
  const first = await keys();
  expect(first).toHaveLength(1);
  expect((await keys())[0]).toBe(first[0]);
  stored = { version: 2, secrets: [sealed("second")] };
  const second = await keys();
  expect(second[0]?.equals(signingKey("second"))).toBe(true);
  // Its workspace is disabled: it has no secrets, of the same version.
  stored = { version: 2, secrets: [] };
  expect(await keys()).toEqual([]);
  stored = { version: 2, secrets: [sealed("second")] };
  expect(await keys()).toHaveLength(1);
});
