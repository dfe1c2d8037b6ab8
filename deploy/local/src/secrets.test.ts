import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSecrets } from "./secrets.ts";

test("an empty key file is an error: the key is not created again, because data may be encrypted with it", () => {
  const data = mkdtempSync(join(tmpdir(), "secrets-"));
  const created = openSecrets(data).keyring("identity");
  expect(openSecrets(data).keyring("identity")).toBe(created);
  const file = join(data, "keys", "identity.keyring.key");
  writeFileSync(file, "");
  expect(() => openSecrets(data).keyring("identity")).toThrow(`${file} is empty`);
});
