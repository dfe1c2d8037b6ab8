import { createKeyring } from "@asset-register/runtime";
import { expect, it } from "vitest";
import { createCredentialCache } from "./credential-cache.ts";

const keyring = createKeyring({ active: "k1", keys: { k1: Buffer.alloc(32, 1).toString("base64") } });

/** A cache over one reader, and the ids that were asked for. */
function cacheOf(readerId: string) {
  const asked: string[] = [];
  const store = {
    async load(ids: readonly string[]) {
      asked.push(...ids);
      return ids.includes(readerId) ? [{ readerId, workspaceId: "wsp_1", version: 1, secrets: [] }] : [];
    },
  };
  return { asked, cache: createCredentialCache(store, keyring, () => 0) };
}

it("keeps a reader's credential however many ids are made up", async () => {
  const { asked, cache } = cacheOf("rdr_1");
  await cache.get(["rdr_1"]);
  await cache.get(Array.from({ length: 60_000 }, (_, index) => `rdr_made_up_${index}`));
  asked.length = 0;
  expect((await cache.get(["rdr_1"])).get("rdr_1")).toMatchObject({ workspaceId: "wsp_1" });
  expect(asked).toEqual([]);
});

it("asks for no id that is longer than ids are: it is one of no reader", async () => {
  const { asked, cache } = cacheOf("rdr_1");
  const id = "x".repeat(15_000);
  expect((await cache.get([id])).get(id)).toMatchObject({ keys: [], version: 0 });
  expect(asked).toEqual([]);
});
