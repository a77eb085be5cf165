// Elements of the page. Text only ever becomes text nodes and attributes, so names stay inert.

const SVG = "http://www.w3.org/2000/svg";

/** Returns an element with properties, attributes ("aria-label", …), listeners (onclick) and children. */
function el(tag, options = {}, ...children) {
  return fill(document.createElement(tag), options, children);
}

/** Returns an SVG element. */
function svg(tag, options = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), options, children);
}

function fill(element, options, children) {
  for (const [name, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
}

/** Returns a name with places where it may be broken, between its parts. */
function breakable(name) {
  return name.split(/(?<=[/._(,$])/).flatMap((part, index) => (index ? [el("wbr"), part] : [part]));
}

/** Returns a section of the page, with a heading that the navigation links to. */
function section(id, title, lead, ...children) {
  return el(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title),
    lead ? el("p", { class: "lead" }, lead) : null,
    ...children,
  );
}

/** Returns a search box that calls back when its text rests. */
function searchBox(label, onSearch) {
  let waiting = 0;
  const input = el("input", {
    type: "search",
    class: "search",
    placeholder: label,
    "aria-label": label,
    spellcheck: "false",
    autocomplete: "off",
    oninput: () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => onSearch(input.value.trim()), 90);
    },
    onkeydown: (event) => {
      if (event.key === "Escape" && input.value) {
        input.value = "";
        onSearch("");
        event.stopPropagation();
      }
    },
  });
  return input;
}

/** Returns buttons of which one is pressed; `choices` are [value, label]. */
function choice(label, choices, chosen, onChoose) {
  const buttons = choices.map(([value, text]) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(value === chosen),
        onclick: () => {
          for (const [i, button] of buttons.entries()) {
            button.setAttribute("aria-pressed", String(choices[i][0] === value));
          }
          onChoose(value);
        },
      },
      text,
    ),
  );
  return el("div", { class: "choice", role: "group", "aria-label": label }, buttons);
}

/** Returns the colour that a custom property of the style has now, under this theme. */
function colour(name) {
  colour.probe ??= document.body.appendChild(el("span", { hidden: true }));
  colour.probe.style.color = `var(${name})`;
  return getComputedStyle(colour.probe).color;
}
