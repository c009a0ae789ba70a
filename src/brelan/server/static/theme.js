// Runs before the page is drawn, so that the chosen light never flashes into the other.
(() => {
  const root = document.documentElement;
  try {
    const { theme, four } = JSON.parse(localStorage.getItem("brelan") ?? "{}");
    root.dataset.theme = theme ?? "auto";
    root.classList.toggle("four", Boolean(four));
  } catch {
    root.dataset.theme = "auto";
  }
  const more = matchMedia("(prefers-contrast: more)");
  const sharpen = () => root.classList.toggle("contrast", more.matches);
  more.addEventListener("change", sharpen);
  sharpen();
  // The browser's own frame is of the page's colour.
  const frame = () => {
    const colour = getComputedStyle(document.body).backgroundColor;
    for (const meta of document.querySelectorAll("[name=theme-color]")) meta.setAttribute("content", colour);
  };
  addEventListener("load", () => {
    frame();
    new MutationObserver(frame).observe(root, { attributeFilter: ["data-theme", "class"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", frame);
  });
})();
