import { eventually } from "@asset-register/harness";
import { expect, it } from "vitest";
import { startTagging } from "../support.ts";
import { newEpc } from "../test-reader.ts";

it("a workspace whose events wait too long gets a lower quota until they no longer wait; another workspace keeps its quota", async () => {
  const tagging = await startTagging({ settings: { SLOW_INTAKE_AFTER_MS: "60000" } });
  const [slow, other] = [tagging.newWorkspace(), tagging.newWorkspace()];
  const [reader, free] = [await slow.newReader(), await other.newReader()];
  const send = async (by: typeof reader) => {
    const events = Array.from({ length: 500 }, () => ({ epc: newEpc(), ts: Date.now() }));
    const { error } = await tagging.sendBatch(by.signedBatch(events));
    return { code: error?.code, retryAfterMs: error?.retryAfterMs ?? 0 };
  };
  expect(await send(reader)).toMatchObject({ code: undefined });

  /** An event that was received two minutes ago, and is processed now: the worker is behind. */
  async function injectLate(): Promise<void> {
    await tagging.inject([reader.acceptedEvent(newEpc(), Date.now() - 120_000)]);
  }
  const refused = await eventually(async () => {
    // Each time: a lower quota ends after 10 s.
    await injectLate();
    const answer = await send(reader);
    expect(answer.code).toBe("RATE_LIMITED");
    return answer;
  });
  expect(refused.retryAfterMs).toBeGreaterThan(0);
  expect(await send(free)).toMatchObject({ code: undefined });
  expect(await send(free)).toMatchObject({ code: undefined });
  await eventually(async () => expect(await send(reader)).toMatchObject({ code: undefined }));

  await tagging.stop();
});
