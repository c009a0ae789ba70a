/** The last page on a device: what the house kept there goes. Only over https a browser heeds the header that asks for it. */

for (const name of Object.keys(localStorage)) if (/^brelan(\.|$)/.test(name)) localStorage.removeItem(name);
