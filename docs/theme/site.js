// Additions to mdBook's script.
"use strict";

// The button that opens the contents. `cargo xtask docs` creates it from a label.
document.getElementById("mdbook-sidebar-toggle").addEventListener("click", () => {
  document.getElementById("mdbook-sidebar-toggle-anchor").click();
});

// Playing a sample stops the previous one.
document.addEventListener(
  "play",
  (event) => {
    for (const audio of document.querySelectorAll("audio")) {
      if (audio !== event.target) audio.pause();
    }
  },
  true,
);

// Scrollable elements can be scrolled with the keyboard.
function reachable() {
  for (const box of document.querySelectorAll(".content pre > code, .content .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
addEventListener("load", reachable);
addEventListener("resize", reachable);
