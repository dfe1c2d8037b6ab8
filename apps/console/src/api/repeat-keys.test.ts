import { expect, test } from "vitest";
import { changeOf, createRepeatKeys } from "./repeat-keys.ts";

function world() {
  let count = 0;
  const clock = { now: 0 };
  const keys = createRepeatKeys(
    () => `key-${++count}`,
    () => clock.now,
  );
  return { keys, clock };
}

test("a change whose answer is lost gets the same key again, another change gets another one", () => {
  const { keys } = world();
  expect(keys.keyOf("a")).toBe("key-1");
  expect(keys.keyOf("b")).toBe("key-2");
  expect(keys.keyOf("a")).toBe("key-1");
});

test("after its answer, the same change is a new one", () => {
  const { keys } = world();
  const key = keys.keyOf("a");
  keys.settled(key);
  expect(keys.keyOf("a")).toBe("key-2");
});

test("a key is kept for ten minutes after the last try", () => {
  const { keys, clock } = world();
  keys.keyOf("a");
  clock.now = 600_000;
  expect(keys.keyOf("a")).toBe("key-1");
  clock.now = 1_200_001;
  expect(keys.keyOf("a")).toBe("key-2");
});

test("the same form is the same change, though its boundary differs; another file is another change", async () => {
  const upload = (content: string) => {
    const body = new FormData();
    body.append("description", "Front");
    body.append("file", new File([content], "a.png"));
    return changeOf(new Request("http://localhost/attachments", { method: "POST", body }));
  };
  expect(await upload("one")).toBe(await upload("one"));
  expect(await upload("one")).not.toBe(await upload("two"));
});

test("the same body to another address is another change", async () => {
  const post = (path: string) =>
    changeOf(new Request(`http://localhost${path}`, { method: "POST", body: "{}" }));
  expect(await post("/assets")).toBe(await post("/assets"));
  expect(await post("/assets")).not.toBe(await post("/movements"));
});
