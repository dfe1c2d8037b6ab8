import type { texts as en } from "../en/sso.ts";

export const texts: typeof en = {
  sso: {
    title: "Sie werden angemeldet",
    failed: "Sie sind nicht angemeldet",
    next: "Gehen Sie zur Anmeldeseite zurück und beginnen Sie erneut. Geschieht es wieder, fragen Sie die Verwaltung Ihres Arbeitsbereichs.",
    again: "Zur Anmeldeseite",
    SSO_EXPIRED:
      "Diese Anmeldung hat zu lange gedauert, oder sie wurde in einem anderen Fenster oder Browser begonnen.",
    SSO_REFUSED: "Die Anmeldung Ihres Unternehmens hat abgelehnt, oder Sie haben sie abgebrochen.",
    SSO_FAILED: "Die Antwort der Anmeldung Ihres Unternehmens ist nicht gültig.",
    SSO_UNAVAILABLE:
      "Die Anmeldung Ihres Unternehmens ist gerade nicht erreichbar. Versuchen Sie es in einigen Minuten noch einmal.",
    SSO_NO_ACCOUNT:
      "Ihr Unternehmen hat Sie angemeldet, aber Sie haben hier kein aktives Konto. Bitten Sie die Verwaltung um eine Einladung.",
    SSO_ACCOUNT_ELSEWHERE:
      "Ihre Adresse hat ein Konto in einem anderen Arbeitsbereich. Eine Adresse kann nur ein Konto haben.",
  },
};
