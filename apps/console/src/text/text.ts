import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { texts as shell } from "./en/shell.ts";

/** The texts of an area. They are loaded with its first screen. */
const areas = {
  alerts: { en: () => import("./en/alerts.ts"), de: () => import("./de/alerts.ts") },
  assets: { en: () => import("./en/assets.ts"), de: () => import("./de/assets.ts") },
  checkouts: { en: () => import("./en/checkouts.ts"), de: () => import("./de/checkouts.ts") },
  depreciation: { en: () => import("./en/depreciation.ts"), de: () => import("./de/depreciation.ts") },
  home: { en: () => import("./en/home.ts"), de: () => import("./de/home.ts") },
  invitation: { en: () => import("./en/invitation.ts"), de: () => import("./de/invitation.ts") },
  import: { en: () => import("./en/import.ts"), de: () => import("./de/import.ts") },
  labels: { en: () => import("./en/labels.ts"), de: () => import("./de/labels.ts") },
  live: { en: () => import("./en/live.ts"), de: () => import("./de/live.ts") },
  password: { en: () => import("./en/password.ts"), de: () => import("./de/password.ts") },
  mfa: { en: () => import("./en/mfa.ts"), de: () => import("./de/mfa.ts") },
  people: { en: () => import("./en/people.ts"), de: () => import("./de/people.ts") },
  places: { en: () => import("./en/places.ts"), de: () => import("./de/places.ts") },
  scan: { en: () => import("./en/scan.ts"), de: () => import("./de/scan.ts") },
  sso: { en: () => import("./en/sso.ts"), de: () => import("./de/sso.ts") },
  ssoSettings: { en: () => import("./en/sso-settings.ts"), de: () => import("./de/sso-settings.ts") },
  settings: { en: () => import("./en/settings.ts"), de: () => import("./de/settings.ts") },
};

export type Area = keyof typeof areas;
type AreaTexts = { [A in Area]: (texts: Awaited<ReturnType<(typeof areas)[A]["en"]>>["texts"]) => void };
type AllAreas = AreaTexts[Area] extends (texts: infer Texts) => void ? Texts : never;

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof shell & AllAreas };
  }
}

export const languages = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof languages;

const STORED = "asset-register.language";
const opened = new Set<Area>();

/** The language that was chosen, else the browser's, else English. */
function preferred(): Language {
  const known = [localStorage.getItem(STORED), navigator.language.slice(0, 2)];
  return known.find((one): one is Language => one !== null && one in languages) ?? "en";
}

/** English is part of the shell, so that a text that is not translated yet can be shown. */
export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: shell } },
    interpolation: { escapeValue: false },
  });
  await setLanguage(preferred());
}

/** Loads the texts of areas, in the language of the page and in English. */
export async function loadTexts(wanted: readonly Area[]): Promise<void> {
  for (const area of wanted) opened.add(area);
  await Promise.all(wanted.flatMap((area) => [load("en", area), load(i18next.language, area)]));
}

export async function setLanguage(language: Language): Promise<void> {
  if (language === "de") add("de", (await import("./de/shell.ts")).texts);
  await Promise.all([...opened].map((area) => load(language, area)));
  localStorage.setItem(STORED, language);
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}

async function load(language: string, area: Area): Promise<void> {
  if (language in languages) add(language, (await areas[area][language as Language]()).texts);
}

const add = (language: string, texts: object): void => {
  i18next.addResourceBundle(language, "translation", texts, true);
};
