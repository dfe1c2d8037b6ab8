import { expect, test } from "vitest";
import { admin, createAsset, describeConsole, expectAccessible, origin } from "./browser.ts";

/** Names that a page must show as they are. */
const hostile = [
  '<img src=x onerror="document.title=1">',
  "\u202eabc\u202c {{name}} $t(nav.home)",
  `Long ${"ä😀".repeat(60)}`,
];

describeConsole("every screen", (user) => {
  test("names with HTML, other directions, emoji and great length are text on every screen", async () => {
    const { page, problems } = user;
    const made = [];
    for (const name of hostile) made.push(await createAsset(name));
    await page.goto(`${origin}/app/assets?sort=-id`);
    for (const name of hostile) await page.getByRole("link", { name, exact: true }).waitFor();
    expect(await page.title()).toBe("Assets · Asset Register");
    const width = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
    expect(width).toBeLessThanOrEqual(0);
    await expectAccessible(page, "the list of assets");
    for (const [index, { id }] of made.entries()) {
      await page.goto(`${origin}/app/assets/${id}`);
      await page.getByRole("heading", { level: 1, name: hostile[index] ?? "", exact: true }).waitFor();
    }
    expect(problems).toEqual([]);
  });

  test("home, places, people and settings show such names too, and are accessible", async () => {
    const { page, problems } = user;
    const [name = ""] = hostile;
    await admin.post("/properties", { name });
    await admin.post("/custodians", { name });
    const { id: zone_id } = await admin.post<{ id: string }>("/zones", { name });
    await admin.post("/readers", { name, kind: "phone", zone_id });
    await admin.post("/alert-rules", {
      ...{ name, scope_type: "all", condition: { type: "not_seen_for", hours: 1 }, channel: "inapp" },
    });
    const { id: asset_id } = await createAsset(name);
    const code = `HOSTILE-${asset_id.slice(-6)}`;
    await admin.post("/tags/commission", { asset_id, type: "qr", code });
    await admin.post("/checkouts", { asset_id, issued_to_type: "external", issued_to_name: name });
    const screens = {
      "": "Value by category",
      checkouts: name,
      [`scan?code=${code}`]: name,
      [`scan?code=${encodeURIComponent(name)}`]: name,
      import: "Drop a CSV file here",
      labels: "Print labels",
      places: name,
      people: name,
      "people?tab=categories": "New category",
      live: name,
      "live?tab=readers": name,
      "live?tab=zones": name,
      "live?tab=settings": "Report interval",
      "alerts?state=all": "Alerts",
      "alerts?tab=rules": name,
      "settings?tab=workspace": "Workspace",
      "settings?tab=users": "Invite",
      "settings?tab=webhooks": "New webhook",
      "settings?tab=sso": "Provider",
      "settings?tab=keys": "New API key",
      "settings?tab=audit": "Audit log",
    };
    for (const [url, text] of Object.entries(screens)) {
      await page.goto(`${origin}/app/${url}`);
      await page.getByText(text).first().waitFor();
      await expectAccessible(page, url);
    }
    // The browser reports itself that a code is unknown and that a workspace has no single sign-on.
    expect([...new Set(problems)]).toEqual([expect.stringContaining("404")]);
  });
});
