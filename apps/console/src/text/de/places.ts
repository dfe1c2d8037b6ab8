import type { texts as en } from "../en/places.ts";

export const texts: typeof en = {
  places: {
    search: "Ort nach Name oder Kürzel finden",
    inside: "In {{name}}",
    property: "Liegenschaft",
    building: "Gebäude",
    floor: "Etage",
    location: "Ort",
    new: {
      property: "Neue Liegenschaft",
      building: "Neues Gebäude",
      floor: "Neue Etage",
      location: "Neuer Ort",
    },
    address: "Adresse",
    move: "{{name}} umziehen",
    moveTo: "Wohin",
    moveHint: "Alles darin zieht mit um. Die Anlagen folgen nach kurzer Zeit.",
    level: "Ebene",
    emptyTitle: "Noch keine Orte",
    emptyText: "Beginnen Sie mit einer Liegenschaft: einem Gelände, einem Campus oder einem Laden.",
    noneTitle: "Kein Ort passt",
    deleteText: "Nur ein Ort ohne Anlagen und ohne andere Orte darin kann gelöscht werden.",
  },
};
