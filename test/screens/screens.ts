import type { Page } from "playwright-core";

export type Screen = {
  /** The name of its files. */
  name: string;
  /** Below /app/. ":id" is the id of the first record of `first`. */
  path: string;
  /** A list of surface B. */
  first?: string;
  /** The steps before the picture is made. */
  steps?(page: Page): Promise<void>;
  /** Without a session. */
  isPublic?: true;
  /** Is in a README, as a light picture of this width. */
  docs?: 360 | 768 | 1600;
};

const click =
  (...names: string[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names) await page.getByRole("button", { name, exact: true }).first().click();
  };

const tab =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole("tab", { name, exact: true }).click();

const search =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Search").fill(text);
    await dialog.getByRole("button").first().waitFor();
  };

/** The menu of a phone. It stays open when the window grows. */
const openMenu = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole("button", { name: "Open the menu" }).click();
};

const openActivity = (page: Page): Promise<void> =>
  page
    .getByRole("button", { name: /^Activity: / })
    .first()
    .click();

const selectAll = (page: Page): Promise<void> =>
  page.getByRole("checkbox", { name: "Select all on this page" }).check();

const makeLabels = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: /^Make \d+ labels?$/ }).click();
  await page.getByRole("link", { name: "Print" }).waitFor();
};

/** A spreadsheet with a row that fails. */
const csv = [
  "Inventory no;Title;Price;Purchase date;Remark",
  "CSV-1;Rotary hammer;1.234,50;31.12.2025;yellow",
  "CSV-2;Circular saw;on request;01.02.2026;",
  "CSV-3;Work light;89,90;14.03.2026;two pieces",
].join("\n");

const chooseCsv = async (page: Page): Promise<void> => {
  const file = { name: "tools.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText("3 rows").waitFor();
};

const checkCsv = async (page: Page): Promise<void> => {
  await chooseCsv(page);
  await click("Check the file")(page);
  await page.getByText("nothing is saved yet").waitFor();
};

const manyColumns = [
  "status",
  "category",
  "location",
  "custodian",
  "department",
  "manufacturer",
  "model",
  "cost",
];

/** Answers requests of the page with an error, to show the step that follows it. */
const refuse =
  (path: string, status: number, problem: object, then: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    const json = { title: "Refused", detail: "Refused.", errors: [], ...problem };
    await page.route(`**/asset_manager_api${path}`, (route) =>
      route.request().method() === "POST" ? route.fulfill({ status, json }) : route.fallback(),
    );
    await then(page);
  };

const typePassword = async (page: Page): Promise<void> => {
  await page.getByLabel("E-mail address").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a long password");
  await click("Sign in")(page);
};

const secondStep = {
  ...{ code: "MFA_REQUIRED", challenge: "sealed", methods: ["passkey", "totp", "recovery_code"] },
  ...{ device_uuid: "00000000-0000-4000-8000-000000000000", passkey_options: { challenge: "c2VhbGVk" } },
};
const notRecent = { code: "REAUTHENTICATION_REQUIRED" };

const makeKey = async (page: Page): Promise<void> => {
  await click("New API key")(page);
  await page.getByLabel(/^Name/).fill("ERP");
  await page.getByRole("dialog").getByRole("checkbox").first().check();
  await click("Create")(page);
};

const aLaptop = { path: "assets/:id", first: "/assets?q=ThinkPad&sort=number&per_page=1" };

/** Every screen of the console, and the dialogs that are worth a look. A new screen is a line here. */
export const screens: readonly Screen[] = [
  { name: "sign-in", path: "", isPublic: true },
  {
    name: "sign-in-second-step",
    path: "",
    isPublic: true,
    steps: refuse("/login", 401, secondStep, typePassword),
  },
  { name: "sign-in-company", path: "", isPublic: true, steps: click("Sign in with your company") },
  { name: "sso-failed", path: "sso#error=SSO_NO_ACCOUNT", isPublic: true },
  { name: "password-forgot", path: "forgot", isPublic: true },
  { name: "password-reset", path: "reset#token", isPublic: true },
  { name: "invitation", path: "invitation?token=unknown", isPublic: true },
  { name: "home", path: "", docs: 1600 },
  { name: "search", path: "", steps: search("drill") },
  { name: "menu", path: "", steps: openMenu },
  { name: "assets", path: "assets", docs: 1600 },
  { name: "assets-none", path: "assets?q=nothing-has-this-name" },
  { name: "assets-columns", path: "assets", steps: click("Columns") },
  { name: "assets-many-columns", path: `assets?columns=${JSON.stringify(manyColumns)}` },
  { name: "assets-views", path: "assets", steps: click("Saved views") },
  { name: "assets-selected", path: "assets", steps: selectAll },
  { name: "checkouts", path: "checkouts" },
  { name: "checkouts-overdue", path: "checkouts?view=overdue" },
  { name: "check-out-several", path: "checkouts", steps: click("Check out") },
  { name: "scan", path: "scan" },
  { name: "scan-unknown", path: "scan?code=UNKNOWN-1" },
  { name: "asset", ...aLaptop, docs: 1600 },
  { name: "asset-history", ...aLaptop, steps: tab("History") },
  { name: "asset-check-outs", ...aLaptop, steps: tab("Check-outs") },
  { name: "asset-documents", ...aLaptop, steps: tab("Documents") },
  { name: "asset-orders", ...aLaptop, steps: tab("Work orders") },
  { name: "asset-depreciation", ...aLaptop, steps: tab("Depreciation") },
  { name: "asset-tag", ...aLaptop, steps: click("Bind a tag") },
  { name: "asset-edit", ...aLaptop, steps: click("Edit") },
  { name: "asset-new", path: "assets", steps: click("New asset") },
  { name: "asset-unknown", path: "assets/ast_unknown" },
  { name: "labels", path: "labels" },
  { name: "labels-ready", path: "labels?q=ThinkPad", steps: makeLabels },
  { name: "import", path: "import" },
  { name: "import-columns", path: "import", steps: chooseCsv },
  { name: "import-checked", path: "import", steps: checkCsv },
  { name: "label-unknown", path: "t/unknown" },
  { name: "places", path: "places" },
  { name: "people", path: "people" },
  { name: "people-departments", path: "people?tab=departments" },
  { name: "people-categories", path: "people?tab=categories" },
  { name: "people-custom-fields", path: "people?tab=custom-fields" },
  { name: "people-custom-field-new", path: "people?tab=custom-fields", steps: click("New custom field") },
  { name: "live", path: "live" },
  { name: "live-simulate", path: "live", steps: click("Simulate reads") },
  { name: "live-readers", path: "live?tab=readers" },
  { name: "live-reader-activity", path: "live?tab=readers", steps: openActivity },
  { name: "live-reader-new", path: "live?tab=readers", steps: click("New reader") },
  {
    name: "live-reader-lists",
    path: "live?tab=readers",
    steps: click("New reader", "Add antenna", "Add filter", "Add filter"),
  },
  { name: "live-zones", path: "live?tab=zones" },
  { name: "live-agents", path: "live?tab=agents" },
  { name: "live-agent-new", path: "live?tab=agents", steps: click("New agent") },
  { name: "live-zone-new", path: "live?tab=zones", steps: click("New zone") },
  { name: "live-settings", path: "live?tab=settings" },
  { name: "alerts", path: "alerts?state=all" },
  { name: "alerts-rules", path: "alerts?tab=rules" },
  { name: "alerts-rule-new", path: "alerts?tab=rules", steps: click("New rule") },
  { name: "settings", path: "settings" },
  { name: "settings-codes", path: "settings", steps: click("Set up") },
  { name: "settings-passkey", path: "settings", steps: click("Add a passkey") },
  {
    name: "settings-confirm",
    path: "settings?tab=keys",
    steps: refuse("/api-keys", 403, notRecent, makeKey),
  },
  { name: "settings-workspace", path: "settings?tab=workspace" },
  { name: "settings-users", path: "settings?tab=users" },
  { name: "settings-invite", path: "settings?tab=users", steps: click("Invite") },
  { name: "settings-sso", path: "settings?tab=sso" },
  { name: "settings-keys", path: "settings?tab=keys" },
  { name: "settings-webhooks", path: "settings?tab=webhooks" },
  { name: "settings-audit", path: "settings?tab=audit" },
];
