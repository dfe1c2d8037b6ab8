import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { certificates } from "@asset-register/harness";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { startLlrpReader } from "./llrp-reader.ts";
import { runAgent as agent, startAgentProcess } from "./site/agent-process.ts";
import { sharedPlatform, stopLater } from "./site/platform.ts";

const platform = await sharedPlatform();

const input = { type: "http", format: "json", auth: "none" };

async function startSite(secretOf: (secret: string) => string | undefined = (secret) => secret) {
  const { id, secret } = await platform.tagging.newWorkspace().newReader();
  const readers = [{ name: "gate", platform_reader: id, secret: secretOf(secret), input }];
  return { id, ...stopLater(await startAgentProcess({ platformUrl: platform.gateway.url, readers })) };
}

test("check says that the platform knows each reader", async () => {
  const { file, id } = await startSite();
  const { code, output } = await agent("check", file);
  expect(output).toContain(`Reader gate (${id}): the platform knows it.`);
  expect(code).toBe(0);
});

test("check names the reader whose secret the platform refuses, and the one without a secret", async () => {
  const wrong = await startSite((secret) => `${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}`);
  const refused = await agent("check", wrong.file);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("READER_SIGNATURE_INVALID") });
  const none = await startSite(() => undefined);
  const without = await agent("check", none.file);
  expect(without).toMatchObject({ code: 1, output: expect.stringContaining("no secret. Enrol the agent") });
});

test("check connects to a reader with LLRP, and says so when its certificate is from another authority", async () => {
  const reader = stopLater(await startLlrpReader({ tls: certificates.own }));
  const { id, secret } = await platform.tagging.newWorkspace().newReader();
  const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-check-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const checkWith = (authority: string) => {
    const ca = path.join(directory, "ca.pem");
    writeFileSync(ca, authority);
    const input = { type: "llrp", host: "127.0.0.1", port: reader.port, tls: { ca } };
    const readers = [{ name: "yard", platform_reader: id, secret, input }];
    const config = { platform: { url: platform.gateway.url }, data: path.join(directory, "data"), readers };
    writeFileSync(path.join(directory, "agent.yaml"), stringify(config));
    return agent("check", path.join(directory, "agent.yaml"));
  };
  const trusted = await checkWith(certificates.own.ca);
  expect(trusted).toMatchObject({ code: 0, output: expect.stringContaining("answers with TLS.") });
  const distrusted = await checkWith(certificates.foreign.ca);
  expect(distrusted).toMatchObject({
    code: 1,
    output: expect.stringContaining(
      `Reader yard: The certificate of 127.0.0.1:${reader.port} is not from the authority in tls.ca`,
    ),
  });
});

test("status shows what the running agent does, and says so when none is running", async () => {
  const { file, terminate } = await startSite();
  const running = await agent("status", file);
  expect(running).toMatchObject({ code: 0, output: expect.stringContaining("Reader gate") });
  const json = await agent("status", "--json", file);
  expect(JSON.parse(json.output)).toMatchObject({ readers: [{ name: "gate" }], buffer: { rows: 0 } });
  expect(await terminate()).toBe(0);
  expect(await agent("status", file)).toMatchObject({
    code: 1,
    output: expect.stringContaining("Is it running?"),
  });
});

test("a second agent with the same folder does not start, and the first one continues", async () => {
  const { file, status } = await startSite();
  const second = await agent("run", file);
  expect(second).toMatchObject({ code: 1, output: expect.stringContaining("is used by another agent") });
  expect((await status()).readers).toHaveLength(1);
});

test("an agent whose address is taken ends with the reason", async () => {
  const { file } = await startSite();
  // The folder is another one, the addresses are the same.
  const other = `${file}.other.yaml`;
  writeFileSync(other, readFileSync(file, "utf8").replace(/^data: .*$/m, `data: ${file}.data`));
  expect(await agent("run", other)).toMatchObject({ code: 1, output: expect.stringContaining("EADDRINUSE") });
});

test("help names all commands, and a wrong command is explained", async () => {
  const help = await agent("--help");
  for (const command of ["run", "check", "status", "enrol", "refused retry"])
    expect(help.output).toContain(`agent ${command === "run" ? "[run]" : command}`);
  expect(await agent("dance")).toMatchObject({
    code: 2,
    output: expect.stringContaining("no command dance"),
  });
  expect(await agent("enrol")).toMatchObject({ code: 2, output: expect.stringContaining("needs the token") });
  expect(await agent("--loud")).toMatchObject({ code: 2 });
});
