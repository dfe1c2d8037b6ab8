import { readFile } from "node:fs/promises";
import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { admin, createAsset, describeConsole, expectAccessible, origin } from "./browser.ts";

const AHEAD_MS = 120_000;

const today = (timeZone = "UTC", aheadMs = 0): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone }).format(Date.now() + aheadMs);

describeConsole("the page of an asset", (user) => {
  test("a document is added, saved as a file and deleted", async () => {
    const { page, problems } = user;
    const { id } = await createAsset("Compressor");
    await page.goto(`${origin}/app/assets/${id}?tab=documents`);
    await page.getByText("No documents yet").waitFor();
    await page.getByRole("button", { name: "Add a document" }).click();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("dialog").getByRole("button", { name: "File" }).click();
    await (await chooser).setFiles({
      name: "manual.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("Drain the tank."),
    });
    await page.getByRole("textbox", { name: "Description" }).fill("What the maker says");
    await expectAccessible(page, "the dialog of a document");
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("What the maker says").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download manual.txt" }).click();
    expect((await download).suggestedFilename()).toBe("manual.txt");
    expect(await readFile(await (await download).path(), "utf8")).toBe("Drain the tank.");
    await expectAccessible(page, "the documents of an asset");
    await page.getByRole("button", { name: "Delete manual.txt" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No documents yet").waitFor();
    expect(await admin.get(`/assets/${id}/attachments`)).toMatchObject({ data: [] });
    expect(problems).toEqual([]);
  });

  test("a code that is typed finds the asset until it is unbound", async () => {
    const { page, problems } = user;
    const { id } = await createAsset("Pallet truck");
    const code = `PT-${id.slice(-8)}`;
    await page.goto(`${origin}/app/assets/${id}`);
    await page.getByRole("button", { name: "Bind a tag" }).click();
    await page.getByRole("textbox", { name: "Code" }).fill(code);
    await expectAccessible(page, "the dialog of a tag");
    await page.getByRole("dialog").getByRole("button", { name: "Bind a tag" }).click();
    await page.getByRole("button", { name: `Unbind ${code}` }).waitFor();
    expect(await admin.get(`/assets/lookup?tag=${code}`)).toMatchObject({ id });
    await page.getByRole("button", { name: `Unbind ${code}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unbind" }).click();
    await page.getByText("No tag is bound to this asset").waitFor();
    expect((await admin.call("GET", `/assets/lookup?tag=${code}`)).status).toBe(404);
    expect(problems).toEqual([]);
  });

  test("the history names places, and says how the asset was on a day", async () => {
    const { page, problems } = user;
    const property = await admin.post<{ id: string }>("/properties", { name: "South site" });
    const place = (name: string) =>
      admin.post<{ id: string }>("/locations", { name, property_id: property.id });
    const [before, after] = [await place("Loading bay"), await place("Workshop 7")];
    const asset = await admin.post<{ id: string }>("/assets", { name: "Winch", location_id: before.id });
    await admin.call("PATCH", `/assets/${asset.id}`, {
      ...{ serial_number: "W-1", manufacturer: "Demag", model: "DR", description: "On rails" },
      ...{ cost: 900, salvage_value: 90, supplier: "Crane shop" },
      ...{ purchase_order: "PO-7", invoice_number: "IN-7", useful_life_months: 60 },
    });
    await admin.post("/movements", { asset_id: asset.id, to_location_id: after.id });
    await page.goto(`${origin}/app/assets/${asset.id}`);
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText("Place: Loading bay → Workshop 7").waitFor();
    await page.getByRole("button", { name: /more changes/ }).click();
    for (const value of ["W-1", "Demag", "PO-7", "IN-7"]) await page.getByText(`– → ${value}`).waitFor();
    // The clock of the computer is ahead of the server. Shortly before midnight it has the next day.
    await page.evaluate(`const now = Date.now; Date.now = () => now() + ${AHEAD_MS}; undefined`);
    const { workspace } = await admin.get<{ workspace: { time_zone: string } }>("/tenant_config");
    const day = today(workspace.time_zone, AHEAD_MS);
    await page.getByLabel("How it was on a day").fill(day);
    await page.getByRole("definition").filter({ hasText: "Workshop 7" }).waitFor();
    expect(new URL(page.url()).searchParams.get("day")).toContain(day);
    await expectAccessible(page, "the history of an asset");
    expect(problems.splice(0)).toEqual([]);
    await page.getByLabel("How it was on a day").fill("2020-02-29");
    await page.getByText("the asset was not in the register yet").waitFor();
    // The browser reports the 404 itself.
    expect(problems.splice(0)).toEqual([expect.stringContaining("404")]);
  });

  test("work orders, and the depreciation with the derivation of each amount", async () => {
    const { page, problems } = user;
    const { id } = await admin.post<{ id: string }>("/assets", {
      ...{ name: "Lathe", cost: 12_000, useful_life_months: 24, in_service_date: today() },
      depreciation_method: "straight_line",
    });
    await admin.post("/work-orders", {
      ...{ asset_id: id, title: "Replace the belt", type: "corrective", priority: "high" },
    });
    await page.goto(`${origin}/app/assets/${id}?tab=orders`);
    await page.getByText("Replace the belt").waitFor();
    await page.getByText("High priority").waitFor();
    await expectAccessible(page, "the work orders of an asset");
    const lines = await eventually(async () => {
      const { books } = await admin.get<{ books: { lines: { derivation: string }[] }[] }>(
        `/assets/${id}/depreciation`,
      );
      const found = books[0]?.lines ?? [];
      expect(found.length).toBeGreaterThan(20);
      return found;
    });
    await page.getByRole("tab", { name: "Depreciation" }).click();
    await page
      .getByText(lines[0]?.derivation ?? "", { exact: true })
      .first()
      .waitFor();
    await page.getByText(/^Straight line · /).waitFor();
    await expectAccessible(page, "the depreciation of an asset");
    expect(problems).toEqual([]);
  });
});
