import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

const ink: MantineColorsTuple = [
  "#eef1ff",
  "#dde2fb",
  "#b9c2f3",
  "#929fec",
  "#7281e6",
  "#5e6ee2",
  "#4a5bd4",
  "#4050c0",
  "#3746ac",
  "#2c3a97",
];

/** Dimmed text that is still easy to read, even on the page background. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5f626c",
    "--mantine-color-placeholder": "#6b6e79",
    "--mantine-color-error": "#c92a2a",
    "--mantine-color-teal-light-color": "#08694b",
    "--mantine-color-red-light-color": "#b02525",
    "--mantine-color-orange-light-color": "#8f3a00",
  },
  dark: {
    "--mantine-color-dimmed": "#a4a7b3",
    "--mantine-color-placeholder": "#9295a1",
    "--mantine-color-body": "#1c1d22",
    "--mantine-color-ink-light": "#2a2e4a",
    "--mantine-color-ink-light-hover": "#31365a",
    "--mantine-color-ink-light-color": "#c5ccf6",
    "--mantine-color-red-light": "#40272b",
    "--mantine-color-red-light-hover": "#4d2d32",
    "--mantine-color-red-light-color": "#ffb3b3",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-teal-light-color": "#96f2d7",
    "--mantine-color-orange-light-color": "#ffd8a8",
  },
});

const dark: MantineColorsTuple = [
  "#d9dbe3",
  "#b4b7c5",
  "#9093a5",
  "#6a6d80",
  "#3c3f4b",
  "#2f313b",
  "#25272f",
  "#1c1d22",
  "#15161a",
  "#0f1013",
];

const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** The header of a dialog must not have the role of the page's header. */
const HEADER = { header: { role: "none" } };

export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 7, dark: 6 },
  colors: { ink, dark },
  defaultRadius: "md",
  fontFamily: FONT,
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  headings: { fontFamily: FONT, fontWeight: "650", sizes: { h1: { fontSize: "1.5rem", lineHeight: "1.3" } } },
  fontSizes: { xs: "0.75rem", sm: "0.85rem", md: "0.95rem" },
  respectReducedMotion: true,
  components: {
    InputWrapper: { defaultProps: { size: "sm" } },
    Badge: { defaultProps: { variant: "light", tt: "none", fw: 550 } },
    Button: { defaultProps: { size: "sm" } },
    Drawer: { defaultProps: { attributes: HEADER } },
    Modal: {
      defaultProps: {
        attributes: HEADER,
        radius: "lg",
        padding: "lg",
        overlayProps: { backgroundOpacity: 0.4, blur: 2 },
      },
    },
    Menu: { defaultProps: { shadow: "md", position: "bottom-end" } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
  },
});
