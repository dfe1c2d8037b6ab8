import { chmodSync, existsSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createServerDirectory } from "./server-directory.ts";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("only the owner can open the folder with the servers' data, also one that an earlier release created", () => {
  const [fresh, old] = [0, 1].map(() => mkdtempSync(join(tmpdir(), "data-"))) as [string, string];
  mkdirSync(join(old, "data"));
  chmodSync(join(old, "data"), 0o755);
  for (const folder of [fresh, old]) {
    expect(existsSync(createServerDirectory(folder, "mongo-native-6"))).toBe(true);
    expect(modeOf(join(folder, "data"))).toBe(0o700);
  }
});
