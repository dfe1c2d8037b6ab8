import { expect, test } from "vitest";
import { state } from "../../test/support-topics.ts";
import { toDeadLetter, toRetry } from "./dead-letter.ts";
import { decodeIncoming } from "./incoming.ts";

const record = (offset: string) => ({
  ...{ key: null, value: Buffer.alloc(0), headers: {}, attributes: 0 },
  ...{ offset, timestamp: "1000" },
});

test("an event without an id keeps its original position as its id in the retry topic, and differs from the event at that position there", () => {
  const source = { topic: state.name, partition: 2, offset: "41", group: "group", error: "no" };
  const letter = toDeadLetter(record("41"), source, new Date());
  const again = { ...record("0"), ...toRetry({ headers: letter.headers, value: letter.value }) };
  const first = decodeIncoming(state, 2, record("41"));
  expect(decodeIncoming(state, 0, again)).toMatchObject({ id: first.id, partition: 2, offset: "41" });
  expect(decodeIncoming(state, 0, record("0")).id).not.toBe(first.id);
});
