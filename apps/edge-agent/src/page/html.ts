/** HTML that needs no escaping any more. */
export type Html = { html: string };

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

type Part = string | number | Html | readonly Html[];

/** A template whose values are escaped, unless they are HTML. */
export const html = (strings: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  html: strings.reduce((text, part, index) => `${text}${render(values[index - 1] ?? "")}${part}`),
});

function render(value: Part): string {
  if (typeof value === "string") return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
  if (typeof value === "number") return String(value);
  return "html" in value ? value.html : value.map((part) => part.html).join("");
}
