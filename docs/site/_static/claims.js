// The page of all claims: folds each row of its tables to the claim's sentence, and finds claims by
// a text.

const UNANSWERED = /-not-(measured|testable)$/;

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

// A row as details: the sentence, then its name and source, and the other cells with their heads.
function folded(row, heads) {
  const [stated, ...others] = row.cells;
  const parts = [...stated.querySelector("p").childNodes];
  const end = parts.findIndex((part) => part.nodeName === "BR");
  const [name, anchor, ...sentence] = parts.slice(0, end);
  sentence[0].textContent = sentence[0].textContent.trimStart();
  const source = element("p", "", name, element("br", ""), ...parts.slice(end + 1));
  const body = element("div", "", anchor, source);
  for (const [number, cell] of others.entries()) {
    if (cell.textContent.trim()) {
      const lines = cell.innerHTML.split("<br>").map((line) => `<div>${line}</div>`);
      body.append(element("h4", "", heads[number + 1]));
      body.insertAdjacentHTML("beforeend", lines.join(""));
    }
  }
  return element("details", "claim", element("summary", "", ...sentence), body);
}

const sections = [];
for (const section of document.querySelectorAll("section[id^='claims-of'] section section")) {
  const table = section.querySelector("table");
  const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);
  const claims = [...table.tBodies[0].rows].map((row) => folded(row, heads));
  let list = element("div", "", ...claims);
  if (UNANSWERED.test(section.id)) {
    const count = claims.length === 1 ? "1 claim" : `${claims.length} claims`;
    list = element("details", "", element("summary", "", count), list);
  }
  table.parentElement.replaceWith(list);
  sections.push({ section, list, claims });
}

function find(sought, state) {
  let found = 0;
  for (const { section, list, claims } of sections) {
    for (const claim of claims) {
      claim.hidden = !claim.textContent.toLowerCase().includes(sought);
    }
    const passing = claims.filter((claim) => !claim.hidden).length;
    section.hidden = passing === 0;
    list.open = sought !== "";
    found += passing;
  }
  for (const paper of new Set(sections.map(({ section }) => section.parentElement))) {
    paper.hidden = !paper.querySelector("section:not([hidden])");
  }
  const claimsFound = `${found} ${found === 1 ? "claim" : "claims"} found`;
  state.textContent = sought && (found ? claimsFound : `No claim has "${sought}".`);
}

if (sections.length) {
  const field = element("input", "");
  field.type = "search";
  field.placeholder = "Find claims: dropout, GCLSR …";
  field.ariaLabel = "Find claims";
  const state = element("span", "");
  state.setAttribute("role", "status");
  sections[0].section.parentElement.before(element("div", "find", field, state));
  field.addEventListener("input", () => find(field.value.trim().toLowerCase(), state));

  // A link from elsewhere leads to a claim that was not folded when the page was opened.
  const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = linked?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    fold.open = true;
  }
  linked?.scrollIntoView();
}
