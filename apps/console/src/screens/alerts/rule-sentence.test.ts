import i18next from "i18next";
import { beforeAll, expect, test } from "vitest";
import { texts as de } from "../../text/de/alerts.ts";
import { texts as en } from "../../text/en/alerts.ts";
import { type Described, type RuleNames, ruleSentence } from "./rule-sentence.ts";

beforeAll(() =>
  i18next.init({
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false },
  }),
);

const names = { zone: "Gate 2", scope: "Laptops", statuses: ["Lost", "Stolen"] };

function sentence(
  language: string,
  condition: Described["condition"],
  more: Partial<Described> = {},
  named: RuleNames = names,
): string {
  const rule: Described = { condition, scope_type: "all", channel: "inapp", ...more };
  return ruleSentence(i18next.getFixedT(language), language, rule, named);
}

const hours = { open_days: ["fri", "mon"], open_from: "08:00", open_to: "18:00" } satisfies object;

test("each type of rule is a sentence in English and German", () => {
  const conditions: Described["condition"][] = [
    { type: "seen_in_zone", zone_id: "zon_1" },
    { type: "left_zone", zone_id: "zon_1" },
    { type: "exit_portal_unauthorised", zone_id: "zon_1" },
    { type: "after_hours", ...hours, open_days: ["fri", "mon"] },
    { type: "unknown_tag" },
    { type: "tag_cloned" },
    { type: "status_mismatch", status_ids: ["sta_1", "sta_2"] },
    { type: "not_seen_for", hours: 48 },
    { type: "reader_offline", minutes: 15 },
    { type: "reader_degraded", minutes: 15, reasons: [] },
    { type: "reader_degraded", minutes: 15, reasons: ["rejected", "blind"] },
  ];
  expect(conditions.map((one) => sentence("en", one))).toMatchInlineSnapshot(`
    [
      "When any asset is seen in the zone Gate 2, an alert is raised and shown here.",
      "When any asset leaves the zone Gate 2, an alert is raised and shown here. It ends by itself when the asset is read in the zone again.",
      "When any asset comes to the zone Gate 2, and is neither checked out nor moved elsewhere, an alert is raised and shown here.",
      "When any asset is seen outside the opening hours (Mon, Fri, 08:00–18:00), an alert is raised and shown here.",
      "When a tag that is bound to nothing is read anywhere, an alert is raised and shown here.",
      "When any asset is read at two properties within less time than the way between them takes, an alert is raised and shown here.",
      "When any asset is seen while its status is Lost or Stolen, an alert is raised and shown here.",
      "When any asset was not seen for 2 days, an alert is raised and shown here. It ends by itself when the asset is seen.",
      "When a fixed portal was not heard for 15 minutes, an alert is raised and shown here. It ends by itself when the reader is heard.",
      "When a fixed portal is heard, but not well for 15 minutes, an alert is raised and shown here. It ends by itself when the reader is well again.",
      "When a fixed portal is heard, but not well for 15 minutes (Reads too little or Events are rejected), an alert is raised and shown here. It ends by itself when the reader is well again.",
    ]
  `);
  expect(conditions.map((one) => sentence("de", one))).toMatchInlineSnapshot(`
    [
      "Wenn irgendeine Anlage in der Zone Gate 2 gesehen wird, wird ein Alarm ausgelöst und hier gezeigt.",
      "Wenn irgendeine Anlage die Zone Gate 2 verlässt, wird ein Alarm ausgelöst und hier gezeigt. Er endet von selbst, wenn die Anlage wieder in der Zone gelesen wird.",
      "Wenn irgendeine Anlage in die Zone Gate 2 kommt und weder ausgegeben noch woandershin umgezogen ist, wird ein Alarm ausgelöst und hier gezeigt.",
      "Wenn irgendeine Anlage außerhalb der Öffnungszeiten (Mo, Fr, 08:00–18:00) gesehen wird, wird ein Alarm ausgelöst und hier gezeigt.",
      "Wenn irgendwo ein Etikett gelesen wird, das an nichts gebunden ist, wird ein Alarm ausgelöst und hier gezeigt.",
      "Wenn irgendeine Anlage an zwei Liegenschaften gelesen wird, in weniger Zeit, als der Weg zwischen ihnen braucht, wird ein Alarm ausgelöst und hier gezeigt.",
      "Wenn irgendeine Anlage gesehen wird, während ihr Status Lost oder Stolen ist, wird ein Alarm ausgelöst und hier gezeigt.",
      "Wenn irgendeine Anlage 2 Tage lang nicht gesehen wurde, wird ein Alarm ausgelöst und hier gezeigt. Er endet von selbst, wenn die Anlage gesehen wird.",
      "Wenn ein festes Portal 15 Minuten lang nicht gehört wurde, wird ein Alarm ausgelöst und hier gezeigt. Er endet von selbst, wenn das Lesegerät gehört wird.",
      "Wenn ein festes Portal gehört wird, aber 15 Minuten lang gestört ist, wird ein Alarm ausgelöst und hier gezeigt. Er endet von selbst, wenn das Lesegerät nicht mehr gestört ist.",
      "Wenn ein festes Portal gehört wird, aber 15 Minuten lang gestört ist (Liest zu wenig oder Ereignisse werden abgelehnt), wird ein Alarm ausgelöst und hier gezeigt. Er endet von selbst, wenn das Lesegerät nicht mehr gestört ist.",
    ]
  `);
});

test("the sentence names the scope, who is told, and the pause", () => {
  const more = {
    scope_type: "category",
    channel: "email",
    channel_target: "ada@example.com",
    cooldown_seconds: 5_400,
  } as const;
  const seen = { type: "seen_in_zone", zone_id: "zon_1" } as const;
  expect(sentence("en", seen, more)).toMatchInlineSnapshot(
    `"When an asset of the category Laptops is seen in the zone Gate 2, an alert is raised, shown here and mailed to ada@example.com. Once it is resolved, nothing more is raised about the same thing for 90 minutes."`,
  );
  expect(sentence("de", seen, { ...more, scope_type: "location" })).toMatchInlineSnapshot(
    `"Wenn eine Anlage, die an den Ort Laptops gehört, in der Zone Gate 2 gesehen wird, wird ein Alarm ausgelöst, hier gezeigt und an ada@example.com gemailt. Ist er erledigt, wird zu derselben Sache 90 Minuten lang nichts Neues ausgelöst."`,
  );
  expect(
    sentence("en", { type: "reader_offline", minutes: 90 }, { scope_type: "zone" }),
  ).toMatchInlineSnapshot(
    `"When a reader of the zone Laptops was not heard for 90 minutes, an alert is raised and shown here. It ends by itself when the reader is heard."`,
  );
  expect(sentence("de", { type: "unknown_tag" }, { scope_type: "location" })).toMatchInlineSnapshot(
    `"Wenn am Ort Laptops ein Etikett gelesen wird, das an nichts gebunden ist, wird ein Alarm ausgelöst und hier gezeigt."`,
  );
});

test("what is not chosen yet is an ellipsis, and a name is never read as a template", () => {
  const seen = { type: "seen_in_zone", zone_id: "" } as const;
  expect(sentence("en", seen, { scope_type: "asset" }, { statuses: [] })).toContain(
    "When the asset … is seen in the zone …,",
  );
  const hostile = "{{name}} $t(alerts.list) <b>";
  expect(
    sentence("en", seen, { scope_type: "asset" }, { zone: hostile, scope: hostile, statuses: [] }),
  ).toContain(`When the asset ${hostile} is seen in the zone ${hostile},`);
});
