import { createHash } from "node:crypto";
import { createApi, createUserApi } from "@asset-register/harness/client";
import { expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

type Record = { id: string; rev: number; [field: string]: unknown };
type Statuses = { data: { id: string; key: string }[] };

const { demo } = await joinPlatform();
const admin = createUserApi(demo.base_url, demo);
const keyApi = createApi(`${demo.base_url}/v1`, demo.api_key);

test("an asset from its creation to its deletion over HTTP", async () => {
  const location = await admin.post<Record>("/locations", { name: "Room" });
  const made = await admin.post<Record>("/assets", { name: "Drill", cost: 12.5, location_id: location.id });
  const path = `/assets/${made.id}`;

  const change = { model: "X1", location_id: null, cost: "99.90", status_id: "sta_any" };
  const changed = await admin.call("PATCH", path, change, { "if-match": `"${made.rev}."` });
  expect(changed).toMatchObject({
    status: 200,
    body: { model: "X1", location_id: null, cost: 99.9, nbv: 99.9, rev: 2, ignored_fields: ["status_id"] },
  });
  expect((await admin.call("PATCH", path, { model: "X2" }, { "if-match": '"1."' })).status).toBe(412);
  for (const field of ["id", "workspace_id", "nbv", "rev"]) {
    const refused = await admin.call("PATCH", path, { [field]: "1" });
    expect(refused, field).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  }
  for (const field of ["name", "number"]) {
    expect(await admin.call("PATCH", path, { [field]: null }), field).toMatchObject({ status: 422 });
  }

  const { data: statuses } = await admin.get<Statuses>("/statuses");
  const lost = statuses.find(({ key }) => key === "lost")?.id;
  const set = await admin.call("POST", `${path}/status`, { status_id: lost, note: "Not found" });
  expect(set).toMatchObject({ status: 200, body: { status_id: lost, rev: 3 } });

  const then = await admin.call("GET", `${path}?as_of=${String(made.created_at)}`);
  const { id, number, name, status_id } = made;
  const nowhere = { property_id: null, building_id: null, floor_id: null, custodian_id: null };
  expect(then.body).toEqual({
    ...{ id, number, name, status_id, ...nowhere },
    ...{ location_id: location.id, as_of: made.created_at },
  });
  expect(then.headers.get("etag")).toBeNull();
  expect((await admin.call("GET", `${path}?as_of=2020-01-01T00:00:00Z`)).status).toBe(404);
  expect((await admin.call("GET", `${path}?as_of=2999-01-01T00:00:00Z`)).status).toBe(422);

  const disposal = { method: "sold", proceeds: 20, note: "To a dealer" };
  const sold = await admin.call("POST", `${path}/dispose`, disposal);
  const disposed = { ...disposal, date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), gain_loss: null };
  expect(sold).toMatchObject({ status: 200, body: { rev: 4, disposed } });
  expect((await keyApi.get<{ data: Record }>(path)).data).toMatchObject({ rev: 4, disposed, tags: [] });
  const conflict = { status: 409, body: { code: "ASSET_DISPOSED" } };
  expect(await admin.call("PATCH", path, { cost: 1 })).toMatchObject(conflict);

  expect((await admin.call("DELETE", path)).status).toBe(204);
  expect((await admin.call("GET", path)).status).toBe(404);
  const history = await admin.get<{ data: { action: string }[]; total: number }>(`${path}/history?sort=-id`);
  const actions = history.data.map(({ action }) => action).toReversed();
  const expected = ["created", "updated", "moved", "status", "disposed", "status", "deleted"];
  expect(actions).toEqual(expected);
});

/** One red pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
  "base64",
);

test("a photo, its small image and its thumbnail over HTTP", async () => {
  const { id, number } = await admin.post<Record>("/assets", { name: "Photographed" });
  const base = `${demo.base_url}/asset_manager_api`;
  const { email, password } = demo;
  const session = await createApi(base).post<{ access_token: string }>("/login", { email, password });
  const headers = { authorization: `Bearer ${session.access_token}` };
  const form = new FormData();
  form.append("file", new File([PNG], "photo.png"));
  const url = `${base}/assets/${id}/image`;
  const uploaded = await fetch(url, { method: "POST", headers, body: form });
  expect([uploaded.status, await uploaded.json()]).toMatchObject([200, { image: { bytes: PNG.length } }]);

  const small = await fetch(`${url}?size=small`, { headers });
  const content = Buffer.from(await small.arrayBuffer());
  const tag = `"${createHash("sha256").update(content).digest("hex")}"`;
  expect(Object.fromEntries(small.headers)).toMatchObject({ "content-type": "image/webp", etag: tag });
  const again = await fetch(`${url}?size=small`, { headers: { ...headers, "if-none-match": tag } });
  expect(again.status).toBe(304);

  const list = `/assets?q=${number}&expand=thumbnail,status`;
  const { data } = await admin.get<{ data: Record[] }>(list);
  const status = expect.objectContaining({ name: "In stock" });
  const thumbnail = expect.stringMatching(/^data:image\/webp;base64,UklGR/);
  expect(data).toEqual([expect.objectContaining({ id, thumbnail, status })]);
  expect((await admin.call("DELETE", `/assets/${id}/image`)).status).toBe(204);
  expect((await admin.get<{ data: Record[] }>(list)).data).toMatchObject([{ id, thumbnail: null }]);
});
