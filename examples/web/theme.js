// Before the first paint: sets the colors that the reader chose, or those of the system.

const system = matchMedia("(prefers-color-scheme: dark)");

/** Local storage may be forbidden: then nothing is stored. */
const remembered = {
  get theme() {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  },
  set theme(theme) {
    try {
      localStorage.setItem("theme", theme);
    } catch {}
  },
};

function showTheme() {
  const theme = remembered.theme ?? (system.matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme")?.setAttribute("aria-pressed", String(theme === "dark"));
}

showTheme();
system.addEventListener("change", showTheme);
document.addEventListener("DOMContentLoaded", () => {
  showTheme();
  document.getElementById("theme").addEventListener("click", () => {
    remembered.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    showTheme();
  });
});
