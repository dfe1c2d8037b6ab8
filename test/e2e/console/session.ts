import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  admin,
  createAsset,
  createUser,
  demo,
  describeConsole,
  expectAccessible,
  origin,
} from "./browser.ts";

describeConsole("the session", (user) => {
  test("a refresh whose answer is lost, and one that is limited, do not end the session", async () => {
    const { page, context, problems } = user;
    const statuses: number[] = [];
    const before = await context.cookies();
    await page.route("**/auth/refresh", async (route) => {
      if (statuses.length > 0) return route.continue();
      statuses.push((await route.fetch()).status());
      // The browser has not got the next token.
      await context.addCookies(before);
      await route.abort();
    });
    await page.reload();
    await page.getByRole("button", { name: "Your account" }).waitFor();
    expect(statuses).toEqual([200]);
    await page.unroute("**/auth/refresh");

    await page.route(
      "**/auth/refresh",
      (route) => route.fulfill({ status: 429, json: { code: "RATE_LIMITED" } }),
      {
        times: 1,
      },
    );
    await page.reload();
    await page.getByRole("button", { name: "Your account" }).waitFor();
    // The browser reports both itself.
    expect(problems.splice(0)).toEqual([
      expect.stringContaining("ERR_FAILED"),
      expect.stringContaining("429"),
    ]);
  });

  test("the session survives a reload, is in no storage, and ends everywhere at sign-out", async () => {
    const { page, context } = user;
    await page.reload();
    await page.getByRole("button", { name: "Your account" }).waitFor();
    const stored = await page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })");
    expect(stored).not.toMatch(/at_|rt_/);
    const second = await context.newPage();
    await second.goto(`${origin}/app/assets`);
    await second.getByRole("button", { name: "Your account" }).waitFor();
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    for (const one of [page, second])
      await one.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    expect(await context.cookies()).toEqual([]);
    await expectAccessible(page, "the sign-in page");
  });

  test("the address on a label opens its asset after the sign-in", async () => {
    const { id } = await createAsset("Labelled");
    const code = `LBL ${id.slice(-8)}`;
    await admin.post("/tags/commission", { asset_id: id, type: "qr", code });
    const { page, problems } = user;
    await page.goto(`${origin}/t/${encodeURIComponent(code)}`);
    await page.getByLabel("E-mail address").fill(demo.email);
    await page.getByLabel("Password", { exact: true }).fill(demo.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Labelled" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/assets/${id}`);
    expect(problems).toEqual([]);
  });

  /** The session of the page, which another session of the same user ends. */
  const endSession = async (page: Page): Promise<void> => {
    const stored = await page.evaluate<string>("localStorage['asset-register.device']");
    const { deviceUuid } = JSON.parse(stored) as { deviceUuid: string };
    await admin.post(`/devices/${deviceUuid}/revoke`, {});
  };

  test("a session that ends while typing: its user signs in above the page, and what was typed is saved", async () => {
    const { page, problems } = user;
    await page.goto(`${origin}/app/assets`);
    await page.getByRole("button", { name: "New asset" }).first().click();
    await page.getByRole("textbox", { name: /^Name/ }).fill("Typed before the end");
    await endSession(page);
    await page.getByRole("button", { name: "Create" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    await expectAccessible(page, "the sign-in above a page");
    // The form below would ask whether to discard what was typed.
    const asked: string[] = [];
    page.on("dialog", (question) => {
      asked.push(question.message());
      void question.dismiss();
    });
    await page.keyboard.press("Escape");
    await dialog.getByText("Your session has ended").click();
    await page.keyboard.press("Escape");
    expect(asked).toEqual([]);
    expect(await dialog.getByLabel("E-mail address").inputValue()).toBe(demo.email);
    expect(await page.getByRole("textbox", { name: /^Name/ }).inputValue()).toBe("Typed before the end");
    await dialog.getByLabel("Password", { exact: true }).fill(demo.password);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    // The request that found the session ended is repeated: nothing has to be pressed again.
    await page.getByRole("heading", { level: 1, name: "Typed before the end" }).waitFor();
    const { data } = await admin.get<{ data: unknown[] }>("/assets?q=Typed%20before%20the%20end");
    expect(data).toHaveLength(1);
    // The browser reports each 401 itself.
    for (const problem of problems.splice(0)) expect(problem).toContain("401");
  });

  test("two tabs find that the session has ended: both keep what was typed, and one sign-in is for both", async () => {
    const { page, context, problems } = user;
    const second = await context.newPage();
    const names = ["Typed in one tab", "Typed in another tab"];
    const tabs = [page, second] as const;
    for (const [index, tab] of tabs.entries()) {
      await tab.goto(`${origin}/app/assets`);
      await tab.getByRole("button", { name: "New asset" }).first().click();
      await tab.getByRole("textbox", { name: /^Name/ }).fill(names[index] ?? "");
    }
    await endSession(page);
    // While the second tab asks for a token, the first one has been refused already.
    let isAsking = (): void => undefined;
    let answer = (): void => undefined;
    const asking = new Promise<void>((resolve) => {
      isAsking = resolve;
    });
    const told = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await second.route("**/auth/refresh", async (route) => {
      isAsking();
      await told;
      await route.continue();
    });
    await second.getByRole("button", { name: "Create" }).click();
    await asking;
    await page.evaluate("new BroadcastChannel('asset-register.session').postMessage({ status: 'ended' })");
    for (const tab of tabs) await tab.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    answer();
    // A new tab, which finds out too, has nothing to keep.
    const third = await context.newPage();
    await third.goto(`${origin}/app/`);
    await third.getByLabel("E-mail address").fill(demo.email);
    await third.getByLabel("Password", { exact: true }).fill(demo.password);
    for (const [index, tab] of tabs.entries())
      expect(await tab.getByRole("textbox", { name: /^Name/ }).inputValue()).toBe(names[index]);
    await third.getByRole("button", { name: "Sign in", exact: true }).click();
    await third.getByRole("button", { name: "Your account" }).waitFor();
    await second.getByRole("heading", { level: 1, name: names[1] ?? "" }).waitFor();
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: names[0] ?? "" }).waitFor();
    for (const tab of [second, third]) await tab.close();
    for (const problem of problems.splice(0)) expect(problem).toContain("401");
  });

  test("another user who signs in above the page gets a fresh one", async () => {
    const { page, problems } = user;
    const other = await createUser(["view"]);
    await page.goto(`${origin}/app/assets`);
    await page.getByRole("button", { name: "New asset" }).first().click();
    await page.getByRole("textbox", { name: /^Name/ }).fill("Never saved");
    await endSession(page);
    await page.getByRole("button", { name: "Create" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("E-mail address").fill(other.email);
    await dialog.getByLabel("Password", { exact: true }).fill(other.password);
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByText(other.email).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await admin.get("/assets?q=Never%20saved")).toMatchObject({ data: [] });
    for (const problem of problems.splice(0)) expect(problem).toContain("401");
  });
});
