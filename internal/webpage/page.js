"use strict";
// Tables sort by a click, or Enter, on a column's head; the table of lines filters by
// text and by verdict. A button copies the suggested assertions. A link to
// what is folded unfolds it. A drawing of states shows
// the coverage of the signal that is chosen, and the steps of the state under the pointer.
(() => {
  const key = cell => cell.dataset.key ?? cell.textContent;
  const order = new Intl.Collator("en", { numeric: true });
  const compare = (a, b) => !isNaN(a.number) && !isNaN(b.number) && a.number !== b.number ? a.number - b.number : order.compare(a.text, b.text);
  for (const table of document.querySelectorAll("table.sortable")) {
    table.querySelectorAll("th").forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map(row => ({ row, text: key(row.cells[column]), number: parseFloat(key(row.cells[column])) }));
        rows.sort((a, b) => (up ? 1 : -1) * compare(a, b));
        body.append(...rows.map(r => r.row));
      });
    });
  }
  const copy = document.getElementById("copy");
  if (copy) copy.addEventListener("click", () => {
    getSelection().selectAllChildren(document.getElementById("source"));
    copy.textContent = document.execCommand("copy") ? "Copied" : "Selected";
  });
  const unfold = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") target.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();
  const signal = document.getElementById("signal");
  if (signal) signal.addEventListener("change", () => {
    for (const state of document.querySelectorAll(".state:not(.unreachable)")) {
      const covered = state.dataset.covered ? state.dataset.covered.split(" ") : [];
      const on = signal.value ? covered.includes(signal.value) : covered.length > 0;
      state.classList.toggle("covered", on);
      state.classList.toggle("uncovered", !on);
    }
  });
  for (const [n, state] of document.querySelectorAll(".state").entries()) {
    for (const [event, on] of [["pointerenter", true], ["pointerleave", false]]) {
      state.addEventListener(event, () => {
        for (const step of document.querySelectorAll(`.step[data-from="${n}"], .step[data-to="${n}"]`)) step.classList.toggle("on", on);
      });
    }
  }
  const lines = document.getElementById("lines");
  if (!lines) return;
  const filter = document.getElementById("filter"), verdict = document.getElementById("verdict");
  const rows = [...lines.tBodies[0].rows].map(row => ({ row, text: row.textContent.toLowerCase() }));
  if (!rows.some(r => r.row.dataset.worst === verdict.value)) verdict.value = "";
  const show = () => {
    const wanted = filter.value.toLowerCase();
    let shown = 0;
    for (const r of rows) {
      r.row.hidden = !(r.text.includes(wanted) && (!verdict.value || r.row.dataset.worst === verdict.value));
      if (!r.row.hidden) shown++;
    }
    document.getElementById("shown").textContent = shown + " of " + rows.length + " rows";
  };
  filter.addEventListener("input", show);
  verdict.addEventListener("change", show);
  show();
})();
