import { findPdftoppm } from "@asset-register/harness";
import { expect, test } from "vitest";
import { admin, demo, describeConsole } from "./browser.ts";
import { playFilm, scenes } from "./film-steps.ts";

const pdftoppm = await findPdftoppm();

describeConsole("the film", (user) => {
  test.skipIf(pdftoppm === undefined)(
    "a person creates an asset, prints its label, scans it, checks it out, and sees a signed read of it",
    async () => {
      const seen: string[] = [];
      const id = await playFilm({
        ...{ demo, page: user.page, pdftoppm: pdftoppm ?? "" },
        onScene: async (scene) => void seen.push(scene),
      });
      expect(seen).toEqual(scenes);
      expect(await admin.get(`/assets/${id}`)).toMatchObject({
        serial_number: "TC-2081",
        current_checkout: { issued_to_name: "Mary Ward" },
        last_seen: { at: expect.any(String) },
      });
      expect(user.problems).toEqual([]);
    },
  );
});
