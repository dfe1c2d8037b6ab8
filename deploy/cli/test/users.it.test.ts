import path from "node:path";
import { freshDatabase, testServers } from "@asset-register/harness";
import { expect, test } from "vitest";
import { cliOf, run } from "./support.ts";

const OPERATOR = path.resolve(import.meta.dirname, "../../../services/identity/src/operator.ts");

test("users reset-link prints a link for an account, and says why it can't", async () => {
  const { mongoUrl, redisUrl } = testServers();
  const settings = { MONGO_DATABASE: freshDatabase(), REDIS_URL: redisUrl, MONGO_URL: mongoUrl };
  const creation = [
    ...["workspace", "create", "--name", "Acme", "--plan", "business", "--admin-email", "ada@example.com"],
    ...["--admin-name", "Ada", "--time-zone", "Europe/Berlin", "--currency", "EUR"],
  ];
  const env = { ...process.env, ...settings, ADMIN_PASSWORD: "correct horse battery" };
  await run(process.execPath, [OPERATOR, ...creation], { env });

  const cli = cliOf("asset-register.", { ...settings, PUBLIC_URL: "https://assets.example.com" });
  const { out, err } = await cli("users", "reset-link", "ada@example.com");
  expect(err).toBe("");
  expect(JSON.parse(out)).toMatchObject({
    user: { email: "ada@example.com" },
    link: expect.stringMatching(/^https:\/\/assets\.example\.com\/app\/reset#pr_[\w-]{43}$/),
    valid_minutes: 30,
  });
  expect(await cli("users", "reset-link", "bob@example.com")).toMatchObject({
    code: 1,
    err: expect.stringContaining("NOT_FOUND"),
  });
  const without = cliOf("asset-register.", settings);
  expect(await without("users", "reset-link", "ada@example.com")).toMatchObject({
    code: 1,
    err: expect.stringContaining("PUBLIC_URL is not set"),
  });
});
