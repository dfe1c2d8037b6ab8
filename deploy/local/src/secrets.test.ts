import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSecrets } from "./secrets.ts";

test("a key that a power cut has emptied is neither used nor made anew: data may be encrypted with it", () => {
  const data = mkdtempSync(join(tmpdir(), "secrets-"));
  const made = openSecrets(data).keyring("identity");
  expect(openSecrets(data).keyring("identity")).toBe(made);
  const file = join(data, "keys", "identity.keyring.key");
  writeFileSync(file, "");
  expect(() => openSecrets(data).keyring("identity")).toThrow(`${file} is empty`);
});
