// Runs before the page is drawn, so that the chosen light never flashes into the other; `data-theme-toggle` switches it.
(() => {
  const root = document.documentElement;
  const read = () => JSON.parse(localStorage.getItem("brelan") ?? "{}");
  const dark = () =>
    root.dataset.theme === "dark" || (root.dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  try {
    root.dataset.theme = read().theme ?? "auto";
    root.classList.toggle("four", Boolean(read().four));
  } catch {
    root.dataset.theme = "auto";
  }
  const more = matchMedia("(prefers-contrast: more)");
  const sharpen = () => root.classList.toggle("contrast", more.matches);
  more.addEventListener("change", sharpen);
  sharpen();
  addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-theme-toggle]")) return;
    root.dataset.theme = dark() ? "light" : "dark";
    try {
      localStorage.setItem("brelan", JSON.stringify({ ...read(), theme: root.dataset.theme }));
    } catch {
      // the choice then lasts as long as the page
    }
  });
})();
