/** The last page on a device: what the house kept there goes. Only over https a browser heeds the header that asks for it. */
import { LEFT } from "./settings.js";

for (const name of Object.keys(localStorage)) if (/^brelan(\.|$)/.test(name)) localStorage.removeItem(name);
localStorage.setItem(LEFT, ""); // the house's other pages close (settings.js)
localStorage.removeItem(LEFT);
