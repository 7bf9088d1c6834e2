// The display of the office: follows the system until a person chooses Light or Dark, then keeps the choice.
// Loaded before the page is drawn, so that nothing flashes. Without it the buttons still work, as a form.

const COOKIE = "inspect_app_theme";
const YEAR_S = 365 * 24 * 3600;
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
let chosen = root.dataset.theme || null;

/** Draw a theme and mark its button. */
function show() {
  const theme = chosen || (system.matches ? "dark" : "light");
  root.dataset.theme = theme;
  for (const button of document.querySelectorAll(".themes button")) {
    button.setAttribute("aria-pressed", String(button.getAttribute("value") === theme));
  }
}

show();
system.addEventListener("change", show);
document.addEventListener("DOMContentLoaded", show);
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.classList.contains("themes")) return;
  event.preventDefault();
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  chosen = button ? button.value : null;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${COOKIE}=${chosen}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure}`;
  show();
});
