import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { budget } from "./build/budget.ts";
import { compressed } from "./build/compressed.ts";

/** PUBLIC_URL of a running platform. */
const GATEWAY = process.env.GATEWAY_URL ?? "http://localhost:8080";

export default defineConfig({
  base: "/app/",
  plugins: [react(), compressed(), budget()],
  // The gateway replaces it by a fresh nonce in each page.
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    target: "es2022",
    // "/app/assets/" belongs to the screens.
    assetsDir: "files",
    // Fonts and pictures are files, so that the first load is small.
    assetsInlineLimit: 0,
  },
  server: {
    // The pages of the development server are of another origin, which the cookie would not admit.
    proxy: Object.fromEntries(
      ["/asset_manager_api", "/app/demo.json"].map((path) => [
        path,
        { target: GATEWAY, headers: { origin: GATEWAY } },
      ]),
    ),
  },
});
