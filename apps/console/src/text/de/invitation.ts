import type { texts as en } from "../en/invitation.ts";

export const texts: typeof en = {
  invitation: {
    title: "Einladung annehmen",
    text: "Setzen Sie ein Passwort für Ihr Konto.",
    name: "Ihr Name",
    nameHint: "Leer: der Name aus der Einladung bleibt.",
    accept: "Annehmen",
    noToken:
      "Dieser Link enthält keine Einladung, oder die Seite wurde neu geladen. Öffnen Sie den Link der Einladung erneut.",
    done: "Willkommen",
    doneText: "Ihr Konto ist bereit. Melden Sie sich als {{email}} an.",
  },
};
