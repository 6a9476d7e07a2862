// Finds claims by a text where no kernel runs; a mark of a closed group opens its claim.

for (const list of document.querySelectorAll(".clwork-still .clwork-claims")) {
  const groups = [...list.querySelectorAll("details.word")];
  const claims = (group) => [...group.querySelectorAll(":scope > details")];
  const said = (claim) => claim.querySelector("summary").textContent;

  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Find claims: dropout, GCLSR …";
  field.ariaLabel = "Find claims";
  field.style.cssText = "font: inherit; padding: 4px 8px; margin: 4px 0; width: min(100%, 20em)";
  list.before(field);
  field.addEventListener("input", () => {
    const sought = field.value.trim().toLowerCase();
    for (const group of groups) {
      for (const claim of claims(group)) claim.hidden = !said(claim).toLowerCase().includes(sought);
      group.hidden = claims(group).every((claim) => claim.hidden);
      group.open = sought !== "";
    }
  });

  list.addEventListener("click", (event) => {
    const mark = event.target.closest(".word > summary svg > svg");
    if (!mark) return;
    const group = mark.closest("details.word");
    const title = mark.querySelector("title").textContent;
    const claim = claims(group).find((each) => said(each).includes(title));
    if (!claim) return;
    event.preventDefault();
    group.open = true;
    claim.open = true;
    claim.scrollIntoView({ block: "center" });
  });
}
