import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import type { Read } from "./input.ts";
import { create, parse, schema } from "./lines.ts";

const log = { info() {}, warn() {}, error() {} };

test("each line is an EPC, in any case and with any end; empty lines are skipped", () => {
  expect(parse(Buffer.from("303435fc\r\n\r\n3034 35FD\nE280\n"), 3)).toEqual({
    reads: [
      { epc: "303435FC", antenna: 3 },
      { epc: "303435FD", antenna: 3 },
      { epc: "E280", antenna: 3 },
    ],
    unreadable: [],
  });
});

test("a line that is no EPC is reported, and the others are read", () => {
  const { reads, unreadable } = parse(Buffer.from("4006381333931\n3034\n"));
  expect(reads.map(({ epc }) => epc)).toEqual(["3034"]);
  expect(unreadable).toHaveLength(1);
});

test("lines of a FIFO are delivered while writers come and go, and stop ends the input", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-lines-"));
  const fifo = path.join(directory, "scanner");
  execFileSync("mkfifo", [fifo]);
  const reads: Read[] = [];
  const sink = {
    accept: async (more: readonly Read[]) => void reads.push(...more),
    heard() {},
    unreadable() {},
  };
  const input = create(schema.parse({ type: "lines", path: fifo }), sink, log);
  await input.start();
  await eventually(() => expect(input.state().state).toBe("connected"));
  for (const line of ["3034\n", "3035\n303", "6\n"]) appendFileSync(fifo, line);
  await eventually(() => expect(reads.map(({ epc }) => epc)).toEqual(["3034", "3035", "3036"]));
  await input.stop();
  rmSync(directory, { recursive: true });
});

test("a device that is missing is reported with its path", async () => {
  const sink = { accept: async () => {}, heard() {}, unreadable() {} };
  const input = create(schema.parse({ type: "lines", path: "/dev/no-such-scanner" }), sink, log);
  await input.start();
  await eventually(() =>
    expect(input.state()).toEqual({
      state: "failed",
      detail: expect.stringContaining("/dev/no-such-scanner"),
    }),
  );
  await input.stop();
});
