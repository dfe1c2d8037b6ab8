import "@fontsource-variable/inter";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "./app/global.css";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { session } from "./api/authorised-fetch.ts";
import { Console } from "./app/console.tsx";
import { nonce } from "./app/nonce.ts";
import { startTexts } from "./text/text.ts";

// react-remove-scroll, which dialogs use, inserts a style element.
setNonce(nonce() ?? "");
await startTexts();
void session.restore();
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element #root");
createRoot(root).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
