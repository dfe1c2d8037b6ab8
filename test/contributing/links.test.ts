import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (page: string): string => readFileSync(path.join(ROOT, page), "utf8");
const withoutBlocks = (text: string): string => text.replaceAll(/^```.*?^```/gms, "");

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

const anchorsOf = (page: string): string[] =>
  [...withoutBlocks(read(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));

test("each link of a page leads to a file, and its anchor to a heading", () => {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], { cwd: ROOT });
  const pages = listed
    .toString()
    .trim()
    .split("\n")
    .filter((page) => existsSync(path.join(ROOT, page)));
  expect(pages.length).toBeGreaterThan(30);
  const broken = pages.flatMap((page) => {
    const links = [...withoutBlocks(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    return links
      .filter((link) => !/^[a-z]+:/.test(link) && !leads(page, link))
      .map((link) => `${page}: ${link}`);
  });
  expect(broken).toEqual([]);
});

function leads(page: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(ROOT, target))) return false;
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).includes(anchor);
}
