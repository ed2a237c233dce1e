// Renders this server's openapi.yaml as a page.
"use strict";

// --- the YAML subset of our contract ------------------------------------------------------------
// Block mappings and lists, flow collections on one line, quoted and plain scalars, literal blocks.

function parseYaml(text) {
  const lines = [];
  text.split("\n").forEach((raw) => lines.push({ indent: raw.search(/\S|$/), text: raw.trim(), raw }));
  let at = 0;

  const isBlank = (line) => line.text === "" || line.text.startsWith("#");
  const skip = () => {
    while (at < lines.length && isBlank(lines[at])) at++;
    return at < lines.length;
  };

  function literal(indent) {
    const out = [];
    let base = -1;
    while (at < lines.length && (lines[at].text === "" || lines[at].indent > indent)) {
      if (base < 0 && lines[at].text !== "") base = lines[at].indent;
      out.push(lines[at].raw.slice(Math.max(base, 0)));
      at++;
    }
    return out.join("\n").trimEnd() + "\n";
  }

  function value(rest, indent) {
    if (rest === "|") return literal(indent);
    if (rest !== "") return scalar(rest);
    if (!skip()) return null;
    const line = lines[at];
    if (line.indent > indent || (line.indent === indent && line.text.startsWith("- "))) return block(line.indent);
    return null;
  }

  function block(indent) {
    return lines[at].text.startsWith("- ") ? list(indent) : mapping(indent);
  }

  function list(indent) {
    const out = [];
    while (skip() && lines[at].indent === indent && lines[at].text.startsWith("- ")) {
      const line = lines[at];
      const inner = line.text.slice(2).trim();
      if (/^("[^"]*"|[\w$./{}-]+):( |$)/.test(inner)) {
        // A mapping that begins on the line of its dash is parsed as if it began on its own line.
        line.indent = indent + 2;
        line.text = inner;
        out.push(mapping(indent + 2));
      } else {
        at++;
        out.push(scalar(inner));
      }
    }
    return out;
  }

  function mapping(indent) {
    const out = {};
    while (skip() && lines[at].indent === indent && !lines[at].text.startsWith("- ")) {
      const m = /^(?:"([^"]*)"|([^:]+)):(?:\s+(.*))?$/.exec(lines[at].text);
      if (!m) throw new Error("line " + (at + 1));
      at++;
      out[m[1] ?? m[2]] = value((m[3] ?? "").trim(), indent);
    }
    return out;
  }

  function scalar(source) {
    let i = 0;
    const space = () => {
      while (source[i] === " ") i++;
    };
    /** A flow collection or quoted scalar ends on its line; other YAML is not supported. */
    const unended = () => new Error("line " + at + " has no end: " + source.slice(0, 40));
    function quoted() {
      let j = i + 1;
      if (source[i] === "'") {
        j = source.indexOf("'", j);
        if (j < 0) throw unended();
        const text = source.slice(i + 1, j);
        i = j + 1;
        return text;
      }
      while (j < source.length && source[j] !== '"') j += source[j] === "\\" ? 2 : 1;
      if (j >= source.length) throw unended();
      const text = JSON.parse(source.slice(i, j + 1));
      i = j + 1;
      return text;
    }
    function plain(stops) {
      const start = i;
      while (i < source.length && !(stops.includes(source[i]) || (source[i] === ":" && source[i + 1] === " " && stops)))
        i++;
      const text = source.slice(start, i).trim();
      if (text === "null" || text === "~") return null;
      if (text === "true" || text === "false") return text === "true";
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    }
    function flow() {
      space();
      if (source[i] === '"' || source[i] === "'") return quoted();
      if (source[i] === "[") {
        const out = [];
        for (i++, space(); source[i] !== "]"; space()) {
          if (i >= source.length) throw unended();
          out.push(flow());
          space();
          if (source[i] === ",") i++;
        }
        i++;
        return out;
      }
      if (source[i] === "{") {
        const out = {};
        for (i++, space(); source[i] !== "}"; space()) {
          const key = source[i] === '"' ? quoted() : plain(":");
          if (source.indexOf(":", i) < 0) throw unended();
          i = source.indexOf(":", i) + 1;
          out[key] = flow();
          space();
          if (source[i] === ",") i++;
        }
        i++;
        return out;
      }
      return plain(",]}");
    }
    return '"\'[{'.includes(source[0]) ? flow() : plain("");
  }

  skip();
  return mapping(0);
}

// --- the page -----------------------------------------------------------------------------------

function el(name, attributes, ...children) {
  const node = document.createElement(name);
  Object.entries(attributes ?? {}).forEach(([key, v]) => node.setAttribute(key, v));
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

// Renders `code` within text.
function prose(text) {
  const span = el("span");
  (text ?? "").split(/(`[^`]*`)/).forEach((part) =>
    span.append(part.startsWith("`") ? el("code", null, part.slice(1, -1)) : part),
  );
  return span;
}

// Renders paragraphs, and bullet lists whose lines begin with a star.
function text(source) {
  return source.split(/\n\n/).map((part) =>
    part.startsWith("* ")
      ? el("ul", null, ...part.slice(2).split(/\n\* /).map((item) => el("li", null, prose(item))))
      : el("p", null, prose(part)),
  );
}

function page(api) {
  const resolve = (node) =>
    node && node.$ref ? resolve(node.$ref.slice(2).split("/").reduce((o, key) => o[key], api)) : node;

  function typeOf(schema) {
    const name = schema.$ref?.split("/").pop();
    const s = resolve(schema);
    if (s.type === "array") return "list of " + typeOf(s.items ?? {});
    if (s.const !== undefined) return JSON.stringify(s.const);
    if (s.enum) return s.enum.map((v) => JSON.stringify(v)).join(" | ");
    const known = s["x-extensible-enum"];
    if (known) return known.map((v) => JSON.stringify(v)).join(" | ") + " | …";
    const type = [].concat(s.type ?? "any").join(" or ");
    const bounds = [s.minimum ?? s.minLength, s.maximum ?? s.maxLength];
    const range = bounds.some((b) => b !== undefined) ? ` ${bounds[0] ?? ""}…${bounds[1] ?? ""}` : "";
    return (name ? name + ": " : "") + type + range + (s.pattern ? " " + s.pattern : "");
  }

  function members(schema, prefix, rows) {
    const s = resolve(schema);
    const object = s.type === "array" ? resolve(s.items) : s;
    Object.entries(object.properties ?? {}).forEach(([name, member]) => {
      const optional = (object.required ?? []).includes(name) ? "" : " (optional)";
      rows.push(
        el(
          "tr",
          null,
          el("td", null, el("code", null, prefix + name), optional),
          el("td", null, el("code", null, typeOf(member))),
          el("td", null, prose(resolve(member).description ?? member.description)),
        ),
      );
      const inner = resolve(member);
      const deep = inner.type === "array" ? resolve(inner.items) : inner;
      if (deep.properties && prefix.length < 40) members(member, prefix + name + (inner.type === "array" ? "[]." : "."), rows);
    });
    return rows;
  }

  function content(node) {
    const out = [];
    Object.entries(node.content ?? {}).forEach(([type, media]) => {
      const rows = media.schema ? members(media.schema, "", []) : [];
      if (rows.length && type === "application/json") out.push(el("div", { class: "scroll" }, el("table", null, ...rows)));
      Object.values(media.examples ?? {}).forEach((example) =>
        out.push(
          el("pre", null, typeof example.value === "string" ? example.value : JSON.stringify(example.value, null, 2)),
        ),
      );
    });
    return out;
  }

  function responses(operation) {
    const rows = [];
    const good = [];
    Object.entries(operation.responses).forEach(([status, ref]) => {
      const response = resolve(ref);
      const codes = (response["x-codes"] ?? []).flatMap((code) => [
        el("a", { href: "#error-" + code }, el("code", null, code)),
        " ",
      ]);
      rows.push(el("tr", null, el("td", null, status), el("td", null, prose(response.description)), el("td", null, ...codes)));
      if (status < 300) good.push(...content(response));
    });
    return [el("h4", null, "Responses"), el("div", { class: "scroll" }, el("table", null, ...rows)), ...good];
  }

  function parameters(operation) {
    const rows = (operation.parameters ?? []).map(resolve).map((p) =>
      el(
        "tr",
        null,
        el("td", null, el("code", null, p.name), p.required ? "" : " (optional)"),
        el("td", null, p.in),
        el("td", null, el("code", null, typeOf(p.schema))),
        el("td", null, prose(p.description)),
      ),
    );
    return rows.length ? [el("h4", null, "Parameters"), el("div", { class: "scroll" }, el("table", null, ...rows))] : [];
  }

  function operation(method, path, op) {
    const body = op.requestBody ? resolve(op.requestBody) : null;
    const open = Array.isArray(op.security) && op.security.length === 0;
    return el(
      "article",
      { id: op.operationId },
      el("h3", null, el("span", { class: "method" }, method.toUpperCase()), " ", path),
      el("p", null, el("b", null, op.summary), ". ", open ? "No access token needed. " : "", prose(op.description)),
      ...parameters(op),
      ...(body ? [el("h4", null, "Body"), ...content(body)] : []),
      ...responses(op),
    );
  }

  const main = document.getElementById("main");
  const nav = document.getElementById("nav");
  main.replaceChildren(...text(api.info.description));
  api.tags.forEach((tag) => {
    nav.append(el("b", null, tag.name));
    main.append(el("h2", null, tag.name), el("p", null, tag.description));
    Object.entries(api.paths).forEach(([path, methods]) =>
      Object.entries(methods)
        .filter(([, op]) => op.tags.includes(tag.name))
        .forEach(([method, op]) => {
          nav.append(el("a", { href: "#" + op.operationId }, method.toUpperCase() + " " + path));
          main.append(operation(method, path, op));
        }),
    );
  });
  nav.append(el("b", null, "errors"), el("a", { href: "#errors" }, "All codes"));
  main.append(
    el("h2", { id: "errors" }, "Errors"),
    el(
      "table",
      null,
      ...api["x-errors"].map((e) =>
        el(
          "tr",
          { id: "error-" + e.code },
          el("td", null, el("code", null, e.code)),
          el("td", null, String(e.status)),
          el("td", null, e.text),
        ),
      ),
    ),
  );
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

if (typeof document !== "undefined") {
  fetch("/openapi.yaml")
    .then((response) => response.text())
    .then((contract) => page(parseYaml(contract)))
    .catch((error) => {
      document.getElementById("main").textContent = "The contract could not be read: " + error.message;
    });
} else {
  module.exports = { parseYaml };
}
