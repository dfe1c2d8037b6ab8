type Names = readonly (readonly [RegExp, string])[];

/** The first that matches counts: Edge says that it is Chrome, and Chrome that it is Safari. */
const browsers: Names = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS)\//, "Chrome"],
  [/(Version|Safari)\//, "Safari"],
];
const systems: Names = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/CrOS/, "ChromeOS"],
  [/Macintosh/, "macOS"],
  [/Linux/, "Linux"],
];

const nameIn = (names: Names, text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** The user agent of a browser in words: "Firefox on Windows". Undefined if it is not known. */
export function deviceName(userAgent: string): string | undefined {
  const [browser, system] = [nameIn(browsers, userAgent), nameIn(systems, userAgent)];
  return browser && system && `${browser} on ${system}`;
}
