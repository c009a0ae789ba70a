/** What a page that shows a table is before its first view, and whenever nothing is begun on it. */
import { settings } from "./settings.js";

/** Nothing is raised, aimed at, asked or said. */
export const IDLE = { selected: [], touched: null, aim: null, armed: null, asking: false, remark: null };

/** All but the view and when it came. */
export const blank = () => ({
  ...IDLE,
  settings: settings(),
  order: [],
  fresh: new Set(),
  sheet: null,
  log: [],
  filter: /** @type {const} */ ("all"),
  missed: 0,
  called: "",
  unheard: 0,
  bubbles: [],
  rest: [],
  calling: false,
  leaving: false,
  sent: false,
  lost: 0,
  found: false,
  left: "",
});
