/** Characters of a stored name. */
const MAX = 200;
/** An extension that is longer is a part of the name. */
const MAX_EXTENSION = 12;

/** Controls, and marks that are not shown or that turn the direction of text around: "gpj.exe" could look like "exe.jpg". */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu;
const RESERVED = /[<>:"|?*]/g;
/** Names of devices on Windows. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A file name that is safe to store under on every system: without folders, controls and reserved characters. */
export function safeFileName(given: string): string {
  const last = given.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const visible = last.replace(HIDDEN, "").replace(RESERVED, "_").replace(/\s+/g, " ");
  const name = visible.replace(/^[. ]+|[. ]+$/g, "");
  if (name === "") return "file";
  return shortened(DEVICE.test(name) ? `_${name}` : name);
}

/** The extension of a name in lower case, without its dot; or "". */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX) return name;
  const extension = Array.from(`.${extensionOf(name)}`);
  const kept = extension.length <= MAX_EXTENSION ? extension : [];
  return [...characters.slice(0, MAX - kept.length), ...kept].join("");
}
