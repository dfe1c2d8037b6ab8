import { freshDatabase } from "@asset-register/harness";
import { loadConfig } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { buildApp } from "../../src/app.ts";
import { configSchema } from "../../src/config.ts";
import { startRegister } from "../support.ts";

test("MIGRATE: never does not start on a database without the migrations, only applies them and finishes", async () => {
  const register = await startRegister();
  const database = { MONGO_DATABASE: freshDatabase() };
  const build = (MIGRATE: string) =>
    buildApp(loadConfig(configSchema, { ...register.env, ...database, MIGRATE }));

  const early = await build("never");
  await expect(early.start()).rejects.toThrow(/lacks the migrations 0001-indexes, .* MIGRATE=only/);
  await early.stop();

  const job = await build("only");
  expect(await job.start()).toBe("finished");
  expect(job.ports.grpc).toBe(0);
  await job.stop();

  const late = await build("never");
  expect(await late.start()).toBe("running");
  expect(late.ports.grpc).toBeGreaterThan(0);
  await late.stop();
  await register.stop();
});
