import { eventually } from "@asset-register/harness";
import { createUserApi } from "@asset-register/harness/client";
import { expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

type Sheet = { id: string; status: string; labels: number };
type Tags = { data: { code: string; type: string }[] };

const { demo } = await joinPlatform();
const admin = createUserApi(demo.base_url, demo);

test("labels of new assets: each gets a tag once, and the address on its label finds it", async () => {
  const assets = await Promise.all(
    ["Drill", "Saw"].map((name) => admin.post<{ id: string }>("/assets", { name })),
  );
  const asset_ids = assets.map(({ id }) => id);
  const request = { asset_ids, template: "50x25", format: "zpl", missing_tags: "bind" };
  const sheets = await Promise.all([
    admin.post<Sheet>("/labels", request),
    admin.post<Sheet>("/labels", request),
  ]);
  for (const { id } of sheets) {
    await eventually(async () =>
      expect(await admin.get<Sheet>(`/labels/${id}`)).toMatchObject({ status: "ready", labels: 2 }),
    );
  }
  for (const id of asset_ids) {
    const { data: tags } = await admin.get<Tags>(`/tags?asset_id=${id}`);
    expect(tags).toEqual([expect.objectContaining({ type: "qr" })]);
    // The demo has the default of its PUBLIC_URL; a valid check character is enough anyway.
    for (const origin of [demo.base_url, "https://old.example.org"]) {
      const address = encodeURIComponent(`${origin}/t/${tags[0]?.code}`);
      expect(await admin.get(`/assets/lookup?tag=${address}`)).toMatchObject({ id });
    }
  }
});
