import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Network, parseNetwork } from "./address.ts";
import { addressAllowed, parsePublicUrl } from "./public-url.ts";

const loopback = ["127.0.0.0/8", "::1/128"].map(parseNetwork).filter((network) => network !== undefined);
const parse = (text: string, networks: Network[] = []) => parsePublicUrl(text, networks);

describe("without allowed networks", () => {
  test.each([
    ["https://hooks.example.com/in", "hooks.example.com"],
    ["https://hooks.example.com:443/in?x=1", "hooks.example.com"],
    ["https://hooks.example.com:8443", "hooks.example.com"],
    ["HTTPS://Hooks.Example.COM/", "hooks.example.com"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
    ["https://does-not-exist.invalid/hook", "does-not-exist.invalid"],
  ])("accepts %s", (text, hostname) => {
    expect(parse(text)).toMatchObject({ ok: true, target: { hostname, literal: false, onlyAllowed: false } });
  });

  test.each([
    ["nothing", ""],
    ["no scheme", "hooks.example.com/in"],
    ["a relative one", "/in"],
    ["plain http", "http://hooks.example.com/"],
    ["another scheme", "ftp://hooks.example.com/"],
    ["a scheme without slashes", "https:hooks.example.com"],
    ["too many slashes", "https:///hooks.example.com"],
    ["another port", "https://hooks.example.com:8080/"],
    ["port 0", "https://hooks.example.com:0/"],
    ["port 80", "https://hooks.example.com:80/"],
    ["a port that is none", "https://hooks.example.com:99999/"],
    ["user info", "https://user:pass@hooks.example.com/"],
    ["empty user info", "https://@hooks.example.com/"],
    ["user info that looks like a host", "https://hooks.example.com@127.0.0.1/"],
    ["a fragment", "https://hooks.example.com/#x"],
    ["an empty fragment", "https://hooks.example.com/#"],
    ["a backslash", "https://hooks.example.com\\@127.0.0.1/"],
    ["a backslash for a slash", "https:\\\\hooks.example.com"],
    ["a tab, which parsers drop", "https://hooks.exam\tple.com/"],
    ["a line feed", "https://hooks.example.com/\n"],
    ["NUL", "https://hooks.example.com/\0"],
    ["a leading space", " https://hooks.example.com/"],
    ["a space in the path", "https://hooks.example.com/a b"],
    ["a no-break space", "https://hooks.example.com/\u00a0"],
    ["a soft hyphen in the host", "https://hooks.exam\u00adple.com/"],
    ["a zero-width space", "https://hooks.example.com/\u200b"],
    ["an IPv4 address", "https://8.8.8.8/"],
    ["a private IPv4 address", "https://10.0.0.1/"],
    ["loopback", "https://127.0.0.1/"],
    ["an address in octal", "https://0177.0.0.1/"],
    ["an address in hex", "https://0x7f.0.0.1/"],
    ["an address as an integer", "https://2130706433/"],
    ["an address as a hex integer", "https://0x7f000001/"],
    ["a short address", "https://127.1/"],
    ["an address with a final dot", "https://127.0.0.1./"],
    ["an address in full-width digits", "https://１２７.0.0.1/"],
    ["an address with ideographic dots", "https://127。0。0。1/"],
    ["an address percent-encoded", "https://%31%32%37.0.0.1/"],
    ["an IPv6 address", "https://[2a00:1450:4001:81b::200e]/"],
    ["IPv6 loopback", "https://[::1]/"],
    ["an IPv4-mapped address", "https://[::ffff:127.0.0.1]/"],
    ["an IPv6 zone", "https://[fe80::1%25eth0]/"],
    ["a single label", "https://localhost/"],
    ["a single label of a cluster", "https://gateway/"],
    ["a name under localhost", "https://a.localhost/"],
    ["a cluster's name", "https://gateway.default.svc.cluster.local/"],
    ["a cloud's metadata name", "https://metadata.google.internal/"],
    ["a short name of a cluster's service", "https://register.default.svc/"],
    ["a short name in any case", "https://register.default.SVC/"],
    ["a name of a cluster without its domain", "https://register.default.svc.cluster/"],
    ["a pod of a cluster", "https://10-0-0-1.default.pod/"],
    ["a name of Consul", "https://register.service.consul/"],
    ["a name of a container host", "https://host.docker/"],
    ["a reserved name", "https://hooks.test/"],
    ["a name of a home network", "https://printer.home.arpa/"],
    ["the domain of home networks itself", "https://home.arpa/"],
    ["a name of a local network", "https://printer.lan/"],
    ["a name that mDNS resolves", "https://printer.local/"],
    ["an intranet's name", "https://wiki.corp/"],
    ["a full-width internal name", "https://printer.ｌocal/"],
    ["an empty label", "https://hooks..example.com/"],
    ["a final dot", "https://hooks.example.com./"],
    ["a label over 63 characters", `https://${"a".repeat(64)}.example.com/`],
    ["a name over 253 characters", `https://${"a.".repeat(130)}example.com/`],
    ["more than 2048 characters", `https://hooks.example.com/${"a".repeat(2048)}`],
    ["more than 2048 characters once encoded", `https://hooks.example.com/${"ü".repeat(1000)}`],
  ])("refuses %s", (_what, text) => {
    expect(parse(text)).toMatchObject({ ok: false });
  });

  test("never throws, and accepts only https with a dotted name", () => {
    const pieces = fc.constantFrom(
      "https",
      "http",
      "://",
      "//",
      ":",
      "@",
      "127.0.0.1",
      "a.example",
      "[::1]",
      "\\",
      "#",
      "/",
      "%2e",
      "８",
      ".",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.array(pieces).map((parts) => parts.join("")),
        ),
        (text) => {
          const parsed = parse(text);
          if (!parsed.ok) return;
          const url = new URL(parsed.target.href);
          expect(url.protocol).toBe("https:");
          expect(url.username + url.password + url.hash).toBe("");
          expect(url.hostname).toMatch(/\.[^.\d][^.]*$/);
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** Notations of an IPv4 address that URL parsers accept. */
const notations: ((octets: readonly number[]) => string)[] = [
  (octets) => octets.map((octet) => `0${octet.toString(8)}`).join("."),
  (octets) => octets.map((octet) => `0x${octet.toString(16)}`).join("."),
  (octets) => String(octets.reduce((sum, octet) => sum * 256 + octet, 0)),
  (octets) => `0x${octets.map((octet) => octet.toString(16).padStart(2, "0")).join("")}`,
  ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b * 65_536 + c * 256 + d}`,
  ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
  (octets) => `${octets.join(".")}.`,
  (octets) => octets.join(".").replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (octets) => octets.join("\u3002"),
  (octets) => octets.join(".").replaceAll(/\d/g, (digit) => `%3${digit}`),
  (octets) => `[::ffff:${octets.join(".")}]`,
  (octets) => `[::${octets.join(".")}]`,
];

describe("any notation of any IPv4 address", () => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

  test("is refused without allowed networks, also the plain one", () => {
    fc.assert(
      fc.property(
        octets,
        fc.constantFrom((parts: readonly number[]) => parts.join("."), ...notations),
        (parts, write) => {
          expect(parse(`https://${write(parts)}/`)).toMatchObject({ ok: false });
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("is refused within allowed networks unless it is the plain one", () => {
    const everything = [parseNetwork("0.0.0.0/0")!, parseNetwork("::/0")!];
    fc.assert(
      fc.property(octets, fc.constantFrom(...notations), (parts, write) => {
        expect(parse(`http://${parts.join(".")}:3000/`, everything)).toMatchObject({ ok: true });
        const written = write(parts);
        // An IPv6 address is plain in brackets; an IPv4 address that it wraps is judged by the networks of IPv6.
        if (!written.startsWith("["))
          expect(parse(`http://${written}:3000/`, everything)).toMatchObject({ ok: false });
        expect(parse(`http://${written}:3000/`, [parseNetwork("0.0.0.0/0")!])).toMatchObject({ ok: false });
      }),
      { numRuns: 1000 },
    );
  });
});

describe("with allowed networks", () => {
  test.each([
    ["http://127.0.0.1:3000/hook", "127.0.0.1", true],
    ["https://127.0.0.1/hook", "127.0.0.1", true],
    ["http://[::1]:3000/hook", "::1", true],
    ["http://receiver.example:3000/hook", "receiver.example", false],
  ])("accepts %s for these networks only", (text, hostname, literal) => {
    expect(parse(text, loopback)).toMatchObject({
      ok: true,
      target: { hostname, literal, onlyAllowed: true },
    });
  });

  test("a usual URL may still go to any public address", () => {
    expect(parse("https://hooks.example.com/", loopback)).toMatchObject({
      ok: true,
      target: { onlyAllowed: false },
    });
  });

  test.each([
    "http://10.0.0.1/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://2130706433/",
    "http://127.1/",
    "http://１２７.0.0.1/",
    "http://%31%32%37.0.0.1/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fc00::1]/",
    "http://localhost:3000/",
    "http://user@127.0.0.1/",
  ])("still refuses %s", (text) => {
    expect(parse(text, loopback)).toMatchObject({ ok: false });
  });
});

describe("addressAllowed", () => {
  test("a usual target may be public or in an allowed network", () => {
    expect(addressAllowed("8.8.8.8", { onlyAllowed: false }, loopback)).toBe(true);
    expect(addressAllowed("127.0.0.1", { onlyAllowed: false }, loopback)).toBe(true);
    expect(addressAllowed("127.0.0.1", { onlyAllowed: false }, [])).toBe(false);
    expect(addressAllowed("10.0.0.1", { onlyAllowed: false }, loopback)).toBe(false);
  });

  test("a target that is only allowed in these networks may not be public", () => {
    expect(addressAllowed("8.8.8.8", { onlyAllowed: true }, loopback)).toBe(false);
    expect(addressAllowed("127.0.0.1", { onlyAllowed: true }, loopback)).toBe(true);
  });
});
