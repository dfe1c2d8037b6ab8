import type { CertificateWatch } from "@asset-register/runtime";
import type { ConnectOptions } from "mongoose";

/** With one of these the driver itself reads the files, once: a password, and a list of revoked certificates. */
const READ_BY_DRIVER = ["tlscertificatekeyfilepassword", "tlscrlfile"];

/**
 * Returns the options for the files of a connection string (`tlsCAFile`, `tlsCertificateKeyFile`), so that new
 * connections use their current content. The driver alone would read them once.
 */
export function tlsOfUrl(url: string, certificates: CertificateWatch | undefined): ConnectOptions {
  const query = new URLSearchParams(url.split("?", 2)[1] ?? "");
  const options = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]));
  const ca = options.get("tlscafile");
  const pair = options.get("tlscertificatekeyfile");
  if (certificates === undefined || (ca ?? pair) === undefined) return {};
  if (READ_BY_DRIVER.some((name) => options.has(name))) return {};
  return { secureContext: certificates.add("mongo", { ca, cert: pair, key: pair }).context };
}
