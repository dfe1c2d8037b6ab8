import type { texts as en } from "../en/checkouts.ts";

export const texts: typeof en = {
  checkouts: {
    subtitle: "Was ausgegeben ist, wer es hat und wann es zurückkommt.",
    out: "Ausgegeben",
    overdue: "Überfällig",
    soon: "Bald fällig",
    returned: "Zurückgenommen",
    asset: "Anlage",
    noDue: "Kein Datum",
    late: "Verspätet",
    inspect: "Zu prüfen",
    outEmptyTitle: "Alles ist da",
    outEmptyText: "Geben Sie eine Anlage an eine Person, eine Abteilung, einen Ort oder nach außen aus.",
    overdueEmptyTitle: "Nichts ist überfällig",
    overdueEmptyText: "Ausgaben, deren Termin vorbei ist, erscheinen hier.",
    soonEmptyTitle: "In den nächsten 7 Tagen ist nichts fällig",
    soonEmptyText: "Ausgaben, die in den nächsten Tagen fällig sind, erscheinen hier.",
    returnedEmptyTitle: "Noch nichts kam zurück",
    returnedEmptyText: "Ausgaben, die zurückgenommen wurden, erscheinen hier.",
  },
};
