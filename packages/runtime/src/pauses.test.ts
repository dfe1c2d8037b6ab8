import { expect, test } from "vitest";
import { createPauses } from "./pauses.ts";

test("a long loop lets other work run before it ends", async () => {
  const pause = createPauses();
  let served = false;
  setImmediate(() => {
    served = true;
  });
  // It would compute for ever if the other work had to wait for its end.
  while (!served) await pause();
  expect(served).toBe(true);
});
