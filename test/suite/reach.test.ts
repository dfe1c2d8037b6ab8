import { expect, test } from "vitest";
import { reach, readWorkspaces } from "./reach.ts";

const workspaces = readWorkspaces();

test("a change of a service reaches its own tests and those that start components, and no other service", () => {
  const folders = reach(["services/stocktake/src/domain/reconcile.ts"], workspaces);
  expect(folders).toEqual(["deploy/cli", "deploy/helm", "deploy/local", "services/stocktake", "test"]);
});

test("a change of a package reaches what depends on it, also over another package", () => {
  const folders = reach(["packages/runtime/src/money.ts"], workspaces);
  expect(folders).toEqual(expect.arrayContaining(["packages/mongo", "services/finance", "gateway", "test"]));
});

test("a change of a benchmark reaches the folder test only", () => {
  expect(reach(["test/bench/relay.ts"], workspaces)).toEqual(["test"]);
});

test("a file of no workspace reaches everything", () => {
  expect(reach(["package-lock.json"], workspaces)).toBeUndefined();
});
