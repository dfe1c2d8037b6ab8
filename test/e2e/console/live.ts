import { randomBytes } from "node:crypto";
import { createApi, readerKey, signBatch } from "@asset-register/harness/client";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { twice } from "../alert-world.ts";
import {
  admin,
  createAsset,
  demo,
  describeConsole,
  expectAccessible,
  openPageOf,
  origin,
} from "./browser.ts";

type Listed<T> = { data: T[] };

const dialog = (page: Page) => page.getByRole("dialog");

async function choose(page: Page, label: string, option: string): Promise<void> {
  await dialog(page).getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
}

/** An asset with an RFID tag. */
async function newTaggedAsset(name: string): Promise<string> {
  const { id } = await createAsset(name);
  const epc = randomBytes(12).toString("hex").toUpperCase();
  await admin.post("/tags/commission", { asset_id: id, type: "rfid", epc });
  return epc;
}

describeConsole("live", (user) => {
  const at = `${Date.now()}`;
  const zone = `Dock ${at}`;
  let secret = "";

  test("a person makes a zone and a reader, whose secret is shown once", async () => {
    const { page, problems } = user;
    await page.goto(`${origin}/app/live?tab=zones`);
    await page.getByRole("button", { name: "New zone" }).click();
    await dialog(page).getByRole("textbox", { name: "Name" }).fill(zone);
    await dialog(page).getByRole("button", { name: "Create" }).click();
    await page.getByText(zone, { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Readers" }).click();
    await page.getByRole("button", { name: "New reader" }).click();
    await dialog(page).getByRole("textbox", { name: "Name" }).fill(`Portal ${at}`);
    await choose(page, "Zone", zone);
    await expectAccessible(page, "the form of a reader");
    await dialog(page).getByRole("button", { name: "Create" }).click();
    secret = await dialog(page).getByLabel("Secret").inputValue();
    expect(secret).toMatch(/^rdsec_/);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByText(`Portal ${at}`, { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test("a signed read appears without reloading: who is in the zone, and what the reader sent", async () => {
    const { page, problems } = user;
    const epc = await newTaggedAsset(`Camera ${at}`);
    const { data } = await admin.get<Listed<{ id: string; name: string }>>("/readers?per_page=200");
    const { id = "" } = data.find(({ name }) => name === `Portal ${at}`) ?? {};
    await page.goto(`${origin}/app/live`);
    await page.getByRole("link", { name: zone }).click();
    await page.getByText("Nothing is in this zone now.").waitFor();

    const body = JSON.stringify({ events: twice(epc) });
    const devices = createApi(`${demo.base_url}/asset_manager_api`);
    const sent = await devices.call("POST", "/ingest/events", body, signBatch(readerKey(id, secret), body));
    expect(sent.status).toBe(202);
    await page.getByRole("link", { name: `Camera ${at}` }).waitFor();
    await page.getByRole("link", { name: new RegExp(`${zone} 1 asset`) }).waitFor();
    await expectAccessible(page, "who is in a zone");

    await page.getByRole("tab", { name: "Readers" }).click();
    await page.getByRole("button", { name: `Activity: Portal ${at}` }).click();
    await dialog(page).getByText("reads a minute in the last 15 minutes").waitFor();
    await dialog(page).getByText("Accepted").first().waitFor();
    await dialog(page)
      .getByRole("link", { name: `Camera ${at}` })
      .first()
      .waitFor();
    await expectAccessible(page, "the activity of a reader");
    // The reader and the time are in the address.
    await choose(page, "Time span", "Last 7 days");
    await page.waitForURL(/range=week/);
    await page.reload();
    await dialog(page)
      .getByRole("link", { name: `Camera ${at}` })
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "hidden" });
    expect(page.url()).not.toContain("reader=");
    expect(problems).toEqual([]);
  });

  test("the form of a rule says how often it would have rung, by what was seen", async () => {
    const { page, problems } = user;
    await page.goto(`${origin}/app/alerts?tab=rules`);
    await page.getByRole("button", { name: "New rule" }).first().click();
    await choose(page, "Zone", zone);
    await dialog(page).getByRole("button", { name: "Try it on the last 7 days" }).click();
    await dialog(page)
      .getByText(/It would have rung/)
      .waitFor();
    await expectAccessible(page, "a rule that was tried");
    await dialog(page).getByLabel("Pause after an alert, in minutes").fill("7");
    await dialog(page).getByText("The rule has changed since.").waitFor();
    await page.keyboard.press("Escape");
    expect(problems).toEqual([]);
  });

  test("the page of an asset says where it was seen, by which reader, in a time of the address", async () => {
    const { page, problems } = user;
    await page.goto(`${origin}/app/live`);
    await page.getByRole("link", { name: zone }).click();
    await page.getByRole("link", { name: `Camera ${at}` }).click();
    await page.getByRole("tab", { name: "Seen" }).click();
    await page.getByText(`Arrived: ${zone}`).waitFor();
    await expectAccessible(page, "where an asset was seen");
    await page.getByLabel("To", { exact: true }).fill("2020-02-29");
    await page.getByText("No reader saw it in this time").waitFor();
    expect(new URL(page.url()).searchParams.get("to")).toContain("2020-02-29");
    await page.getByLabel("From", { exact: true }).fill("2019-02-28");
    await page.getByText("Choose a first day").waitFor();
    await expectAccessible(page, "a time that is too long");
    await page.getByLabel("To", { exact: true }).fill("");
    await page.getByLabel("From", { exact: true }).fill("");
    await page
      .getByRole("link", { name: `Portal ${at}` })
      .first()
      .click();
    await dialog(page)
      .getByRole("link", { name: `Camera ${at}` })
      .first()
      .waitFor();
    expect(problems).toEqual([]);

    const { data } = await admin.get<Listed<{ id: string }>>(
      `/assets?q=${encodeURIComponent(`Camera ${at}`)}`,
    );
    const viewer = await openPageOf(["view"], 360);
    await viewer.page.goto(`${origin}/app/assets/${data[0]?.id}?tab=seen`);
    await viewer.page.getByText(`Arrived: ${zone}`).waitFor();
    await viewer.page.getByText(`by Portal ${at}`).first().waitFor();
    expect(await viewer.page.getByRole("link", { name: `Portal ${at}` }).count()).toBe(0);
    // A failure is shown, and reading again helps.
    const list = "**/sightings?**";
    await viewer.page.route(list, (route) => route.fulfill({ status: 503, json: { code: "UNAVAILABLE" } }));
    await viewer.page
      .getByLabel("To", { exact: true })
      .fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 10));
    await viewer.page.getByRole("button", { name: "Try again" }).waitFor();
    await viewer.page.unroute(list);
    await viewer.page.getByRole("button", { name: "Try again" }).click();
    await viewer.page.getByText(`Arrived: ${zone}`).waitFor();
    await expectAccessible(viewer.page, "where an asset was seen, on a phone");
    for (const problem of viewer.problems.splice(0)) expect(problem).toContain("503");
    await viewer.context.close();
  });

  test("a person adds an agent, whose command is shown once, and sees that it has enrolled", async () => {
    const { page, problems } = user;
    await page.goto(`${origin}/app/live?tab=agents`);
    await page.getByText("There are no agents yet.").waitFor();
    await page.getByRole("button", { name: "New agent" }).click();
    await dialog(page).getByRole("textbox", { name: "Name" }).fill(`Depot ${at}`);
    await choose(page, "Readers", `Portal ${at}`);
    // The list has closed: it would cover the button.
    await page.getByRole("option").first().waitFor({ state: "hidden" });
    await expectAccessible(page, "the form of an agent");
    await dialog(page).getByRole("button", { name: "Create" }).click();
    const command = await dialog(page).getByLabel("Run this at the site within 24 hours").inputValue();
    const [, token] = /^edge-agent enrol (agtok_\w+)$/.exec(command) ?? [];
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByText("Waiting for its first contact").waitFor();
    await page.getByText(`Readers: Portal ${at}`).waitFor();
    const devices = createApi(`${demo.base_url}/asset_manager_api`);
    const enrolled = await devices.post<{ readers: { secret: string }[] }>("/agents/enrol", { token });
    expect(enrolled.readers).toMatchObject([{ name: `Portal ${at}`, secret }]);
    await page.reload();
    await page.getByText("Last contact").waitFor();
    await expectAccessible(page, "the agents");
    await page.getByRole("button", { name: `More: Depot ${at}` }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await dialog(page).getByRole("button", { name: "Remove" }).click();
    await page.getByText("There are no agents yet.").waitFor();
    expect(problems).toEqual([]);
  });

  test("a poll that fails is shown, and what was read before stays", async () => {
    const { page, problems } = user;
    await page.goto(`${origin}/app/live`);
    await page.getByRole("link", { name: zone }).waitFor();
    const presence = "**/asset_manager_api/zones/presence";
    await page.route(presence, (route) => route.fulfill({ status: 503, json: { code: "UNAVAILABLE" } }));
    const old = page.getByText("Not the latest");
    await old.waitFor();
    await page.getByRole("link", { name: zone }).waitFor();
    await expectAccessible(page, "what was read before");
    await page.unroute(presence);
    await old.waitFor({ state: "hidden" });
    // The browser reports each 503 itself.
    for (const problem of problems.splice(0)) expect(problem).toContain("503");
  });

  test("the page simulates a reader in the demo, and revokes it when it stops and when the page is left or killed", async () => {
    const { page, context, problems } = user;
    // The platform of the tests has no demo of its own.
    const { email, password } = demo;
    await context.route("**/app/demo.json", (route) => route.fulfill({ json: { email, password } }));
    const simulated = async (): Promise<{ status: string }[]> =>
      (await admin.get<Listed<{ name: string; status: string }>>("/readers?per_page=200")).data.filter(
        ({ name }) => name === "Simulated reader",
      );
    const start = async (tab: Page): Promise<void> => {
      await tab.goto(`${origin}/app/live`);
      await tab.getByRole("button", { name: "Simulate reads" }).click();
      await choose(tab, "Zone of the reader", zone);
      await expectAccessible(tab, "the dialog of the simulation");
      await dialog(tab).getByRole("button", { name: "Start" }).click();
      await tab.getByText("This page is a reader").first().waitFor();
      await tab.getByText(/[1-9]\d* reads? sent/).waitFor();
    };
    let started = 0;
    const expectRevoked = async (): Promise<void> => {
      started += 1;
      const revoked = Array.from({ length: started }, () => expect.objectContaining({ status: "revoked" }));
      await expect.poll(simulated, { timeout: 60_000 }).toEqual(revoked);
    };

    await start(page);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Simulate reads" }).waitFor();
    await expectRevoked();

    await start(page);
    await page.getByRole("link", { name: "Alerts", exact: true }).click();
    await expectRevoked();

    await start(page);
    await page.goto("about:blank");
    await expectRevoked();

    const killed = await context.newPage();
    await start(killed);
    const crashed = killed.waitForEvent("crash");
    void killed.goto("chrome://crash").catch(() => undefined);
    await crashed;
    await killed.close();
    expect((await simulated()).some(({ status }) => status === "active")).toBe(true);
    await page.goto(`${origin}/app/live`);
    await expectRevoked();
    await context.unroute("**/app/demo.json");
    expect(problems).toEqual([]);
  });

  test("a reader is revoked and a zone is deleted", async () => {
    const { page, problems } = user;
    await page.goto(`${origin}/app/live?tab=readers`);
    await page.getByRole("button", { name: `More: Portal ${at}` }).click();
    await page.getByRole("menuitem", { name: "Rotate" }).click();
    await dialog(page).getByRole("button", { name: "Rotate" }).click();
    expect(await dialog(page).getByLabel("Secret").inputValue()).not.toBe(secret);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("button", { name: `More: Portal ${at}` }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await dialog(page).getByRole("button", { name: "Revoke" }).click();
    await page.getByText(`Portal ${at}`, { exact: true }).waitFor({ state: "hidden" });
    await page.getByRole("tab", { name: "Zones" }).click();
    await page.getByRole("button", { name: `More: ${zone}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await page.getByText(zone, { exact: true }).waitFor({ state: "hidden" });
    expect(problems).toEqual([]);
  });

  test("a user without the capability sees the zones, but no readers and no simulation", async () => {
    const viewer = await openPageOf(["view"], 360);
    await viewer.page.goto(`${origin}/app/live?tab=readers`);
    await viewer.page.getByRole("heading", { name: "Zones now" }).waitFor();
    expect(await viewer.page.getByRole("tab").count()).toBe(0);
    expect(await viewer.page.getByRole("button", { name: /Simulate|New/ }).count()).toBe(0);
    await expectAccessible(viewer.page, "live on a phone");
    expect(viewer.problems).toEqual([]);
    await viewer.context.close();
  });
});
