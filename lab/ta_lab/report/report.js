"use strict";
// Copies commands, opens what a link leads to, and opens everything for the printer.

for (const block of document.querySelectorAll(".run")) {
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.onclick = async () => {
    const code = block.querySelector("pre");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code); // without the right to copy: the reader does
      button.textContent = "Selected";
    }
  };
  block.append(button);
}

function open() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let node = target; node; node = node.parentElement) {
    if (node.tagName === "DETAILS") node.open = true;
  }
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", open);
open();

let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const item of closed) if (!item.classList.contains("runs")) item.open = true;
});
addEventListener("afterprint", () => { for (const item of closed) item.open = false; });
