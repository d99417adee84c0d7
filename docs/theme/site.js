// What pages need beside mdBook's own script.
"use strict";

// The button that opens the contents, which `cargo xtask docs` makes of a label.
document.getElementById("mdbook-sidebar-toggle").addEventListener("click", () => {
  document.getElementById("mdbook-sidebar-toggle-anchor").click();
});

// A sample that is begun stops the one before it.
document.addEventListener(
  "play",
  (event) => {
    for (const audio of document.querySelectorAll("audio")) {
      if (audio !== event.target) audio.pause();
    }
  },
  true,
);

// What is scrolled can be scrolled with the keyboard.
function reachable() {
  for (const box of document.querySelectorAll(".content pre > code, .content .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", reachable);
addEventListener("resize", reachable);
