import { createUserApi } from "@asset-register/harness/client";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { joinPlatform } from "../platform.ts";
import { executablePath, launchBrowser, openPageIn, originOf, signInAt, type UserPage } from "./chromium.ts";

export const { demo, mails, outside } = await joinPlatform();
export const origin = originOf(demo);
export const admin = createUserApi(demo.base_url, demo);

let launched: Promise<Browser> | undefined;

/** One browser for all tests. */
function browser(): Promise<Browser> {
  launched ??= launchBrowser();
  return launched;
}

afterAll(async () => (await launched)?.close());

export const openPage = async (width?: number): Promise<UserPage> => openPageIn(await browser(), width);

export const signIn = (page: Page, user: { email: string; password: string }): Promise<void> =>
  signInAt(page, origin, user);

/** A new user with these capabilities. */
export async function createUser(
  capabilities: readonly string[],
  name = "Vera",
): Promise<{ email: string; password: string }> {
  const address = `user-${Date.now()}@example.com`;
  const { token } = await admin.post<{ token: string }>("/users", {
    ...{ email: address, name, capabilities },
  });
  const password = "a long enough passphrase";
  const accepted = await fetch(`${demo.base_url}/asset_manager_api/invitations/accept`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, password }),
  });
  const { email } = (await accepted.json()) as { email: string };
  return { email, password };
}

/** A page in which a new user with these capabilities is signed in. */
export async function openPageOf(capabilities: readonly string[], width?: number): Promise<UserPage> {
  const created = await createUser(capabilities);
  const opened = await openPage(width);
  await signIn(opened.page, created);
  return opened;
}

/** Tests of an area of the console, with a page of their own in which the admin of the demo is signed in. */
export function describeConsole(area: string, define: (user: UserPage) => void): void {
  describe.skipIf(executablePath === undefined)(`the console: ${area}`, () => {
    const user = {} as UserPage;
    beforeAll(async () => {
      Object.assign(user, await openPage());
      await signIn(user.page, demo);
    });
    afterAll(() => user.context?.close());
    define(user);
  });
}

export const createAsset = (name: string): Promise<{ id: string; rev: number }> =>
  admin.post("/assets", { name });

/** Two frames, so that what has just appeared has begun to fade in, and the end of all animations that end. */
const WHEN_SHOWN = `new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))).then(() =>
  Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished)))`;

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** No violation of WCAG 2.2 AA on the page when it has loaded. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "hidden" });
  await page.evaluate(WHEN_SHOWN);
  await page.evaluate(axe.source);
  // As texts: the functions of a page know other types.
  const found = await page.evaluate<unknown[]>(
    `axe.run(document, ${JSON.stringify({ runOnly: RULES })}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, html: nodes.slice(0, 3).map((node) => node.html) })))`,
  );
  expect(found, where).toEqual([]);
}

/** Sends what the page has typed, while somebody else changes the record first. */
export async function expectRebased(page: Page, change: () => Promise<unknown>): Promise<void> {
  await change();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Somebody else changed it meanwhile").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
}
