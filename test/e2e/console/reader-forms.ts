import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { admin, describeConsole, expectAccessible, expectRebased, openPageOf, origin } from "./browser.ts";

type Id = { id: string };

const dialog = (page: Page) => page.getByRole("dialog");
const create = (path: string, body: object) => admin.post<Id>(path, body);

async function choose(page: Page, label: string, option: string, index = 0): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).nth(index).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

const placeholderOf = (page: Page, label: string) => page.getByLabel(label).getAttribute("placeholder");

describeConsole("settings of readers", (user) => {
  const at = `${Date.now()}`;

  test("the settings for all readers show their defaults, name a wrong field and keep what others changed", async () => {
    const { page, problems } = user;
    const [west, east] = [`West ${at}`, `East ${at}`];
    const ids = [await create("/properties", { name: west }), await create("/properties", { name: east })];
    await page.goto(`${origin}/app/live?tab=settings`);
    await page.getByLabel("Report interval").fill("20");
    expect(await placeholderOf(page, "Leaves after")).toBe("By the report interval: 60 s");
    expect(await placeholderOf(page, "Stronger signal")).toBe("Default: 6 dB");
    // Those of a workspace that has stored none: the server has the same defaults.
    expect(await placeholderOf(page, "Unknown tags an hour")).toBe("Default: 1000");
    expect(await placeholderOf(page, "Travel time")).toBe("Default: 300 s");
    await page.getByLabel("Reads for a move").fill("2");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must be 1 with a report_interval_seconds above 5").first().waitFor();
    expect(await page.getByLabel("Reads for a move").getAttribute("aria-invalid")).toBe("true");

    await page.getByLabel("Report interval").fill("");
    await page.getByLabel("Reads for a move").fill("");
    await page.getByLabel("Stronger signal").fill("7");
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByLabel("EPC begins with").fill("ffff");
    await page.getByRole("button", { name: "Add travel time" }).click();
    await choose(page, "From", west);
    await choose(page, "To", east);
    await page.getByRole("textbox", { name: "Time", exact: true }).fill("900");
    await expectAccessible(page, "the settings for all readers");
    await expectRebased(page, () =>
      admin.call("PUT", "/reader-settings", { presence: { dwell_seconds: 11 } }),
    );
    await page.getByText("The settings were saved").waitFor();
    expect(await admin.get("/reader-settings")).toMatchObject({
      presence: { margin_db: 7, dwell_seconds: 11, confirm_reads: null },
      filters: [{ action: "ignore", prefix: "FFFF", bits: null }],
      travel: { pairs: [{ property_ids: ids.map(({ id }) => id), seconds: 900 }] },
    });
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    // The browser reports each refusal itself.
    expect(problems.splice(0).map((text) => /422|412/.exec(text)?.[0])).toEqual(["422", "412"]);
  });

  test("a zone shows what it inherits from the workspace, and sets and clears its own", async () => {
    const { page, problems } = user;
    const name = `Gate ${at}`;
    const { id } = await create("/zones", { name, presence: { dwell_seconds: 3 } });
    await page.goto(`${origin}/app/live?tab=zones`);
    await page.getByRole("button", { name: `Edit: ${name}` }).click();
    await expect.poll(() => placeholderOf(page, "Stronger signal")).toBe("Workspace: 7 dB");
    expect(await placeholderOf(page, "Leaves after")).toBe("Default: 30 s");
    await page.getByLabel("Time between moves").fill("");
    expect(await placeholderOf(page, "Time between moves")).toBe("Workspace: 11 s");
    await page.getByLabel("Leaves after").fill("45");
    await expectAccessible(page, "the form of a zone");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`${name} was saved`).waitFor();
    const presence = { dwell_seconds: null, leave_after_seconds: 45, margin_db: null };
    expect(await admin.get(`/zones/${id}`)).toMatchObject({ name, presence });
    expect(problems).toEqual([]);
  });

  test("a reader has antennas, filters in their order and reference tags", async () => {
    const { page, problems } = user;
    const name = `Tunnel ${at}`;
    const zone = `Inside ${at}`;
    const { id: zone_id } = await create("/zones", { name: zone });
    const { id } = await create("/readers", { name, kind: "fixed_portal" });
    await page.goto(`${origin}/app/live?tab=readers`);
    await page.getByRole("button", { name: `More: ${name}` }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const names = dialog(page).getByRole("textbox", { name: "Name" });
    const numbers = dialog(page).getByRole("textbox", { name: "Number" });
    for (const [index, antenna] of ["Door", "Roof"].entries()) {
      await page.getByRole("button", { name: "Add antenna" }).click();
      await names.nth(index + 1).fill(antenna);
    }
    // The zone of the reader is the first one.
    await choose(page, "Zone", zone, 1);
    await page.getByLabel("Weakest signal").first().fill("-65");
    await numbers.nth(1).fill("1");
    for (const [index, prefix] of ["30", "3034"].entries()) {
      await page.getByRole("button", { name: "Add filter" }).click();
      await page.getByLabel("EPC begins with").nth(index).fill(prefix);
    }
    await choose(page, "Reads are", "Accepted", 1);
    await page.getByRole("button", { name: "Move up: filter 3034" }).click();
    await expectAccessible(page, "the form of a reader with lists");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must name each antenna once", { exact: true }).waitFor();
    expect(await numbers.nth(1).getAttribute("aria-invalid")).toBe("true");
    await numbers.nth(1).fill("2");
    const epc = randomBytes(12).toString("hex").toUpperCase();
    await page.getByLabel("Reference tags").fill(`${epc}\nnone`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("none: must be hex").waitFor();
    await page.getByLabel("Reference tags").fill(`${epc}\n`);
    await expectRebased(page, async () => {
      const renamed = await admin.call("PATCH", `/readers/${id}`, { auto_move: true });
      expect(renamed.status).toBe(200);
    });
    await page.getByText(`${name} was saved`).waitFor();
    const point = { zone_id: null, location_id: null, min_rssi: null };
    expect(await admin.get(`/readers/${id}`)).toMatchObject({
      auto_move: true,
      antennas: [
        { ...point, antenna: 1, name: "Door", zone_id, min_rssi: -65 },
        { ...point, antenna: 2, name: "Roof" },
      ],
      filters: [
        { action: "accept", prefix: "3034", bits: null },
        { action: "ignore", prefix: "30", bits: null },
      ],
      reference_epcs: [epc],
    });
    expect(problems.splice(0).map((text) => /422|412/.exec(text)?.[0])).toEqual(["422", "422", "412"]);
    await admin.post(`/readers/${id}/revoke`);
  });

  test("a user without the capability has no settings of readers", async () => {
    const viewer = await openPageOf(["view"], 360);
    await viewer.page.goto(`${origin}/app/live?tab=settings`);
    await viewer.page.getByRole("heading", { name: "Zones now" }).waitFor();
    expect(await viewer.page.getByLabel("Report interval").count()).toBe(0);
    expect(viewer.problems).toEqual([]);
    await viewer.context.close();
    // Other tests share the workspace.
    expect((await admin.call("PUT", "/reader-settings", {})).status).toBe(200);
  });
});
