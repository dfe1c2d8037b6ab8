import type { texts as en } from "../en/password.ts";

export const texts: typeof en = {
  password: {
    new: "Neues Passwort",
    again: "Neues Passwort noch einmal",
    rule: "Mindestens {{count}} Zeichen. Drei oder vier Wörter sind gut und leicht zu merken.",
    notEqual: "Die beiden Passwörter sind nicht gleich.",
    weak: "Zu leicht zu erraten",
    strong: "Schwer zu erraten",
    strongest: "Sehr schwer zu erraten",
    forgotTitle: "Passwort vergessen?",
    forgotText: "Wir senden Ihnen einen Link, mit dem Sie ein neues wählen.",
    send: "Link senden",
    sentTitle: "Sehen Sie in Ihr Postfach",
    sentText:
      "Wenn {{email}} ein Konto hat, ist eine E-Mail unterwegs. Ihr Link gilt einmal, 30 Minuten lang. Sehen Sie auch im Spam-Ordner nach.",
    noMail:
      "Diese Installation sendet keine E-Mails. Bitten Sie die Verwaltung Ihres Arbeitsbereichs um einen Link.",
    back: "Zurück zur Anmeldung",
    resetTitle: "Neues Passwort wählen",
    resetText: "Sie werden überall abgemeldet und melden sich dann mit dem neuen Passwort an.",
    resetSubmit: "Passwort setzen",
    resetDone: "Das Passwort ist gesetzt",
    resetDoneText: "Melden Sie sich mit dem neuen Passwort an.",
    noToken:
      "Dieser Link ist nicht vollständig, oder die Seite wurde neu geladen. Öffnen Sie den Link in der E-Mail erneut.",
    badToken: "Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.",
    anotherLink: "Neuen Link anfordern",
    emailTitle: "E-Mail-Adresse bestätigen",
    emailText: "Danach melden Sie sich mit dieser Adresse an. Ihre anderen Geräte werden abgemeldet.",
    emailSubmit: "Adresse bestätigen",
    emailDone: "Die Adresse ist bestätigt",
    emailDoneText: "Melden Sie sich ab jetzt mit der neuen Adresse an.",
    open: "Asset Register öffnen",
  },
};
