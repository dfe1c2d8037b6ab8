import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The one colour of actions. Status has colours of its own: see parts/status-badge.tsx. */
const teal: MantineColorsTuple = [
  "#eaf6f5",
  "#d7eae9",
  "#acd4d2",
  "#7dbdba",
  "#57aaa6",
  "#3f9e9a",
  "#2f8f8b",
  "#1f7a77",
  "#106b68",
  "#005c59",
];

/** The look of all parts. `close` is what screen readers say for the button that closes a dialog. */
export const createConsoleTheme = (close: string) =>
  createTheme({
    primaryColor: "brand",
    colors: { brand: teal },
    primaryShade: { light: 8, dark: 7 },
    autoContrast: true,
    fontFamily: '"Inter Variable", system-ui, sans-serif',
    headings: { fontWeight: "650", sizes: { h1: { fontSize: "1.5rem", lineHeight: "2rem" } } },
    defaultRadius: "md",
    cursorType: "pointer",
    respectReducedMotion: true,
    components: {
      Table: { defaultProps: { verticalSpacing: "xs", highlightOnHover: true } },
      Modal: { defaultProps: { centered: true, padding: "lg", closeButtonProps: { "aria-label": close } } },
      Drawer: { defaultProps: { closeButtonProps: { "aria-label": close } } },
      Notification: { defaultProps: { closeButtonProps: { "aria-label": close } } },
      Tooltip: { defaultProps: { openDelay: 300 } },
    },
  });

/** Some of Mantine's colours of text have less than the contrast of 4.5 to 1 that WCAG asks for; danger is red in the dark too. */
export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: { "--mantine-color-dimmed": "#57606a", "--mantine-color-placeholder": "#6a737d" },
  dark: {
    "--mantine-color-dimmed": "#a9b0b8",
    "--mantine-color-placeholder": "#8f969e",
    "--mantine-color-error": "var(--mantine-color-red-4)",
    "--mantine-color-brand-light-color": "var(--mantine-color-brand-3)",
    "--mantine-color-red-light-color": "var(--mantine-color-red-4)",
    "--mantine-color-red-filled": "var(--mantine-color-red-8)",
    "--mantine-color-red-filled-hover": "var(--mantine-color-red-9)",
  },
});
