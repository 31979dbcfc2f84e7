// A heading "Exports" has the id "exports", which makes a global of that name: KaTeX would take the
// page for a module loader and draw nothing. What is declared here hides such ids.
var exports, module, define;
