// Finds claims by a text where no kernel runs.

// The width of a group's plot in which no two marks touch, as NARROWEST of evidence_view.py.
const NARROWEST = 320;

// Puts the marks that are left, which are in the order of the axis, on as few rows as hold them.
function stack(marks) {
  const shapes = [...marks.querySelectorAll(".mark:not([hidden]) svg")];
  const size = shapes.length ? Number.parseFloat(getComputedStyle(shapes[0]).width) : 0;
  const ends = [];
  for (const shape of shapes) {
    const position = Number.parseFloat(shape.style.left);
    const free = ends.findIndex((end) => position - end >= (100 * size) / NARROWEST);
    const row = free === -1 ? ends.length : free;
    ends[row] = position;
    shape.style.top = `${size * row}px`;
  }
  marks.style.minHeight = `${size * ends.length}px`;
}

for (const list of document.querySelectorAll(".clwork-still > .clwork-claims:not(.chosen ~ *)")) {
  const groups = [...list.querySelectorAll("details.word")];
  const claimsOf = (group) => [...group.querySelectorAll("[data-claim]")];
  const titleOf = (group) => group.querySelector("summary b");
  const titles = groups.map((group) => titleOf(group).textContent);
  const textOf = (claim) => `${claim.dataset.claim} ${claim.querySelector("summary").textContent}`;

  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Find claims: dropout, GCLSR …";
  field.ariaLabel = "Find claims";
  field.style.cssText = "font: inherit; padding: 4px 8px; margin: 4px 0; width: min(100%, 20em)";
  const state = document.createElement("p");
  state.setAttribute("role", "status");
  list.before(field, state);
  field.addEventListener("input", () => {
    const sought = field.value.trim().toLowerCase();
    let found = 0;
    for (const [number, group] of groups.entries()) {
      const passing = claimsOf(group).filter((claim) => {
        claim.hidden = !textOf(claim).toLowerCase().includes(sought);
        return !claim.hidden;
      });
      for (const mark of group.querySelectorAll(".mark")) {
        mark.hidden = document.getElementById(mark.hash.slice(1)).parentElement.hidden;
      }
      stack(group.querySelector(".marks"));
      const isPart = passing.length < claimsOf(group).length;
      titleOf(group).textContent = isPart
        ? titles[number].replace(/\d+/, `${passing.length} of $&`)
        : titles[number];
      group.hidden = passing.length === 0;
      group.open = sought !== "";
      found += passing.length;
    }
    list.querySelector(".head").hidden = found === 0;
    const claimsFound = `${found} ${found === 1 ? "claim" : "claims"} found`;
    state.textContent = sought && (found ? claimsFound : `No claim has "${sought}".`);
  });
}
