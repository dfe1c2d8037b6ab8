import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openAlertWorld } from "../alert-world.ts";
import { admin, demo, describeConsole, expectAccessible, openPageOf, origin } from "./browser.ts";

type Rule = {
  id: string;
  name: string;
  condition: { type: string };
  scope_id: string | null;
  enabled: boolean;
};
type Listed<T> = { data: T[] };

const dialog = (page: Page) => page.getByRole("dialog");

async function choose(page: Page, label: string, option: string): Promise<void> {
  // The input of a choice of several is below what shows the chosen ones.
  await dialog(page).getByLabel(label).last().click({ force: true });
  await page.getByRole("option", { name: option }).click();
}

describeConsole("alerts", (user) => {
  test("each type of rule is made by its form, whose sentence says what it will do", async () => {
    const { page, problems } = user;
    const at = `${Date.now()}`;
    const zone = `Gate ${at}`;
    await admin.post("/zones", { name: zone });
    await admin.post("/categories", { name: `Cameras ${at}` });
    await page.goto(`${origin}/app/alerts?tab=rules`);
    const inZone = () => choose(page, "Zone", zone);
    const forms: Record<string, { title: string; sentence: string; fill?: () => Promise<void> }> = {
      seen_in_zone: {
        title: "Something is seen in a zone",
        sentence: `When an asset of the category Cameras ${at} is seen in the zone ${zone}, an alert is raised`,
        fill: async () => {
          await inZone();
          await choose(page, "About", "A category");
          await choose(page, "Which one", `Cameras ${at}`);
        },
      },
      left_zone: {
        title: "Something leaves a zone",
        sentence: `When any asset leaves the zone ${zone}`,
        fill: inZone,
      },
      exit_portal_unauthorised: {
        title: "Something goes out without permission",
        sentence: `When any asset comes to the zone ${zone}, and is neither checked out nor moved elsewhere`,
        fill: inZone,
      },
      after_hours: {
        title: "Something is seen after hours",
        sentence: "outside the opening hours (Mon, Tue, Wed, Thu, 08:00–18:00)",
        fill: async () => {
          await dialog(page).getByRole("checkbox", { name: "Fri" }).uncheck();
          await expectAccessible(page, "the form of a rule");
        },
      },
      unknown_tag: {
        title: "An unknown tag is read",
        sentence: "When a tag that is bound to nothing is read anywhere",
      },
      tag_cloned: {
        title: "A tag seems to be copied",
        sentence: "When any asset is read at two properties within less time than the way between them takes",
      },
      status_mismatch: {
        title: "Something is seen that has a status",
        sentence: "When any asset is seen while its status is Lost",
        fill: async () => {
          await choose(page, "Statuses", "Lost");
          await dialog(page).getByLabel("Name").click();
        },
      },
      not_seen_for: {
        title: "Something was not seen for long",
        sentence: "When any asset was not seen for 2 days",
        fill: () => dialog(page).getByLabel("Hours without a read").fill("48"),
      },
      reader_offline: {
        title: "A reader is offline",
        sentence: "When a fixed portal was not heard for 15 minutes",
      },
      reader_degraded: {
        title: "A reader is not well",
        sentence: "When a fixed portal is heard, but not well for 15 minutes (Clock is off)",
        fill: async () => {
          await choose(page, "Only when", "Clock is off");
          await dialog(page).getByLabel("Name").click();
        },
      },
    };
    for (const [type, { title, sentence, fill }] of Object.entries(forms)) {
      await page.getByRole("button", { name: "New rule" }).click();
      await dialog(page).getByLabel("Name").fill(`${type} ${at}`);
      await choose(page, "When an alert is raised", title);
      await fill?.();
      await dialog(page).getByText(sentence).waitFor();
      await dialog(page).getByRole("button", { name: "Create" }).click();
      await dialog(page).waitFor({ state: "hidden" });
      await page.getByText(`${type} ${at}`, { exact: true }).waitFor();
    }
    const { data } = await admin.get<Listed<Rule>>("/alert-rules?per_page=100");
    const made = data.filter(({ name }) => name.endsWith(at));
    expect(made.map(({ condition }) => condition.type).sort()).toEqual(Object.keys(forms).sort());

    const seen = `seen_in_zone ${at}`;
    await page.getByRole("switch", { name: `On: ${seen}` }).press("Space");
    await page.getByRole("switch", { name: `On: ${seen}`, checked: false }).waitFor();
    await page.getByRole("button", { name: `Edit: ${seen}` }).click();
    await choose(page, "About", "Everything");
    await dialog(page).getByText("Saving resolves the open alerts").waitFor();
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await dialog(page).waitFor({ state: "hidden" });
    const { id = "" } = made.find(({ name }) => name === seen) ?? {};
    expect(await admin.get(`/alert-rules/${id}`)).toMatchObject({ enabled: false, scope_id: null });

    for (const { name } of made) {
      await page.getByRole("button", { name: `More: ${name}` }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await dialog(page).getByRole("button", { name: "Delete" }).click();
      await page.getByText(name, { exact: true }).waitFor({ state: "hidden" });
    }
    expect(problems).toEqual([]);
  });

  test("alerts appear without reloading; several are acknowledged and resolved at once", async () => {
    const { page, problems } = user;
    const world = await openAlertWorld(demo);
    const gate = await world.newZone("Gate");
    const rule = await world.makeRule(
      "Strangers",
      { type: "unknown_tag" },
      {
        ...{ scope_type: "zone", scope_id: gate.zoneId },
      },
    );
    await page.goto(`${origin}/app/alerts?rule=${rule}`);
    await page.getByText("No alert matches").waitFor();
    const epcs = [1, 2, 3].map(() => randomBytes(12).toString("hex").toUpperCase());
    await gate.post(...epcs.map((epc) => ({ epc, ts: new Date() })));
    for (const epc of epcs) {
      const link = page.getByTitle(`Unknown tag ${epc}`);
      expect(await link.textContent()).toBe(`Unknown tag ${epc.slice(0, 4)}…${epc.slice(-4)}`);
      expect(await link.getAttribute("href")).toMatch(new RegExp(`/app/scan[?]code=.*${epc}`));
    }
    await expectAccessible(page, "the list of alerts");

    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByText("3 selected").waitFor();
    await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
    await page.getByText("3 alerts acknowledged").waitFor();
    await page.getByText("No alert matches").waitFor();
    await page.getByText("Acknowledged", { exact: true }).first().click();
    for (const epc of epcs.slice(0, 2))
      await page.getByRole("checkbox", { name: `Select the alert about Unknown tag ${epc}` }).check();
    await page.getByRole("button", { name: "Resolve", exact: true }).click();
    await page.getByText("2 alerts resolved").waitFor();
    await page.getByRole("button", { name: `Resolve: Unknown tag ${epcs[2]}` }).click();
    await page.getByText("1 alert resolved").waitFor();
    const alerts = await world.alertsOf(rule);
    expect(alerts.map(({ status }) => status)).toEqual(["resolved", "resolved", "resolved"]);
    expect(problems).toEqual([]);
  });

  test("the alert about a cloned tag shows both reads side by side", async () => {
    const { page, problems } = user;
    const world = await openAlertWorld(demo);
    const [near, far] = [
      await world.newZone("Near gate"),
      await world.newZone("Far gate", "fixed_portal", "Branch"),
    ];
    const rule = await world.makeRule("Copies", { type: "tag_cloned" });
    for (const portal of [near, far]) {
      await portal.post();
      await world.untilClockIsKnown(portal.readerId);
    }
    const { assetId, epc } = await world.newAsset();
    const at = Date.now() - 20_000;
    await near.post({ epc, ts: new Date(at) });
    await far.post({ epc, ts: new Date(at + 5_000) });
    await world.raised(rule, assetId);
    await page.goto(`${origin}/app/alerts?rule=${rule}`);
    await page.getByRole("button", { name: "Both reads: Drill" }).click();
    await dialog(page)
      .getByText("5 seconds apart. The way between the two properties takes at least 5 minutes.")
      .waitFor();
    for (const [title, gate, property] of [
      ["First read", "Near gate", "Head office"],
      ["Second read", "Far gate", "Branch"],
    ] as const) {
      const read = dialog(page).getByRole("group", { name: title });
      await read.getByText(property).waitFor();
      // Its reader, zone and place have one name.
      expect(await read.getByText(gate).count()).toBe(3);
    }
    await expectAccessible(page, "the reads of a clone");
    expect(problems).toEqual([]);
  });

  test("a user without the capability sees the alerts, and is offered no change and no rules", async () => {
    const viewer = await openPageOf(["view"], 360);
    await viewer.page.goto(`${origin}/app/alerts?tab=rules&state=all`);
    await viewer.page.getByText("Strangers").first().waitFor();
    for (const role of ["checkbox", "tab"] as const)
      expect(await viewer.page.getByRole(role).count()).toBe(0);
    expect(await viewer.page.getByRole("button", { name: /Acknowledge|Resolve/ }).count()).toBe(0);
    await expectAccessible(viewer.page, "alerts on a phone");
    expect(viewer.problems).toEqual([]);
    await viewer.context.close();
  });
});
