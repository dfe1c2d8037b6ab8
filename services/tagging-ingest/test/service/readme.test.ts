import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("the code in the README makes the signatures of the published vectors", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, code = ""] = /```js\n([\s\S]+?)```/.exec(readme) ?? [];
  const secret = "rdsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";
  const use = `
    const secret = "${secret}";
    const event = signEvent("rdr_1", secret, "303435FC8803D056D15B963F", "2026-01-01T00:00:00.000Z");
    const headers = signBatch("rdr_1", secret, '{"events":[]}', 1767225600, "n-1");
    console.log(JSON.stringify([event.signature, headers["X-Reader-Signature"]]));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code + use], {
    encoding: "utf8",
  });
  expect(JSON.parse(stdout)).toEqual([
    "1e851ef68113ddb65514cdc01d3708a8071e86dbcd9db63a5a2bab52daf76dba",
    "v1=15be882daaf0f0dd3db37302ed8f9b1723c5633e9338abf6df95d13726c0a4c4",
  ]);
});
