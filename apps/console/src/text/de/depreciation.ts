import type { texts as en } from "../en/depreciation.ts";

export const texts: typeof en = {
  depr: {
    none: "Die Anlage wird nicht abgeschrieben: Kosten, erster Tag in Betrieb oder Methode fehlen.",
    noLines: "Noch ist nichts abgeschrieben.",
    books: "Buch",
    book: "Handelsbuch",
    tax: "Steuer",
    months_one: "{{count}} Monat",
    months_other: "{{count}} Monate",
    from: "ab {{date}}",
    period: "Monat",
    opening: "Vorher",
    amount: "Betrag",
    closing: "Nachher",
    forecast: "Vorschau",
    notPosted: "Noch nicht gebucht",
  },
  deprKind: {
    charge: "Abschreibung",
    impairment: "Außerplanmäßig",
    disposal: "Abgang",
    reversal: "Storno",
  },
  method: {
    straight_line: "Linear",
    declining_balance: "Degressiv",
    sum_of_years_digits: "Digital",
    units_of_production: "Nach Leistung",
    manual: "Von Hand",
    macrs: "MACRS",
  },
  convention: {
    full_month: "Voller Monat",
    next_month: "Folgemonat",
    mid_month: "Monatsmitte",
    daily: "Tagesgenau",
    half_year: "Halbjahr",
    mid_quarter: "Quartalsmitte",
  },
};
