// SPDX-License-Identifier: GPL-2.0-only
"use strict";
(() => {
  const darkness = matchMedia("(prefers-color-scheme: dark)");
  const narrowness = matchMedia("(max-width: 640px)");
  // Each role's colours; a scheme brings its own for light and dark.
  const painters = {
    line: (trace, own) => ({
      line: { ...trace.line, color: own },
      marker: { ...trace.marker, color: own },
      error_y: { ...trace.error_y, color: own },
    }),
    part: (trace, own, look) => ({ marker: { color: own, line: { color: look.paper, width: 1 } } }),
    label: (trace, own, look) => ({ textfont: { color: look.text } }),
    seeds: (trace, own, look) => ({
      marker: {
        ...trace.marker,
        color: look.paper,
        line: { ...trace.marker.line, color: look.text },
      },
    }),
    failed: (trace, own) => ({
      marker: { ...trace.marker, line: { ...trace.marker.line, color: own } },
    }),
    bound: (trace, own, look) => ({ line: { ...trace.line, color: look.faint } }),
  };

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const named = (name) => style.getPropertyValue(`--${name}`).trim();
    return {
      text: named("text"),
      faint: named("faint"),
      paper: named("paper"),
      grid: named("line"),
    };
  }

  // What is chosen on each axis: the number of the value.
  const chosen = (form) =>
    Object.fromEntries([...form.querySelectorAll("select")].map((s) => [s.name, Number(s.value)]));

  function traces(figure, choice, hidden, look) {
    const inLegend = new Set();
    return figure.traces
      .filter(({ meta }) => Object.entries(meta.place).every(([axis, at]) => choice[axis] === at))
      .map((trace) => {
        const { role, scheme } = trace.meta;
        const first = trace.showlegend !== false && !inLegend.has(trace.legendgroup);
        if (first) {
          inLegend.add(trace.legendgroup);
        }
        return {
          ...trace,
          ...painters[role](trace, trace.meta[darkness.matches ? "dark" : "light"], look),
          showlegend: first,
          visible: hidden.has(scheme) ? "legendonly" : true,
        };
      });
  }

  // The panels that have something to show, two side by side where there is room.
  function arrange(figure, shown) {
    const number = ({ xaxis }) => Number((xaxis ?? "x").slice(1) || 1) - 1;
    const used = [...new Set(shown.filter(({ meta }) => meta.scheme !== undefined).map(number))];
    used.sort((one, other) => one - other);
    const columns = narrowness.matches ? 1 : Math.min(2, used.length);
    const rows = Math.ceil(used.length / columns);
    const suffix = (place) => (place === 0 ? "" : place + 1);
    const layout = {
      grid: { rows, columns, pattern: "independent", ygap: 0.38 },
      legend: { y: 1 + 0.11 / rows }, // above the titles of the panels
      annotations: used.map((panel, place) => ({
        text: figure.panels[panel],
        xref: `x${suffix(place)} domain`,
        yref: `y${suffix(place)} domain`,
        x: 0,
        y: 1.03,
        xanchor: "left",
        yanchor: "bottom",
        showarrow: false,
      })),
    };
    used.forEach((panel, place) => {
      layout[`xaxis${suffix(place)}`] = figure.layout.xaxis;
      layout[`yaxis${suffix(place)}`] = figure.layout.yaxis;
    });
    const traces = shown
      .filter((trace) => used.includes(number(trace)))
      .map((trace) => {
        const place = suffix(used.indexOf(number(trace)));
        return { ...trace, xaxis: `x${place}`, yaxis: `y${place}` };
      });
    return { traces, layout, height: 130 + 270 * rows };
  }

  // The layout of bars, with rows of those schemes alone that have a result here.
  function withRows(given, shown) {
    const rows = new Set(shown.flatMap(({ meta, y }) => (meta.scheme === undefined ? [] : y)));
    const { categoryarray: all } = given.yaxis;
    return all === undefined
      ? given
      : { ...given, yaxis: { ...given.yaxis, categoryarray: all.filter((name) => rows.has(name)) } };
  }

  // A text in short lines, broken at its spaces.
  function wrapped(text, length) {
    const lines = [""];
    for (const word of text.split(" ")) {
      const line = `${lines.at(-1)} ${word}`.trim();
      if (line.length > length) {
        lines.push(word);
      } else {
        lines[lines.length - 1] = line;
      }
    }
    return lines.filter(Boolean).join("<br>");
  }

  function layout({ layout: given, height }, look) {
    const narrow = narrowness.matches;
    const size = narrow ? 11 : 13;
    const axis = {
      gridcolor: look.grid,
      linecolor: look.faint,
      zerolinecolor: look.grid,
      automargin: true,
      exponentformat: "none",
      minexponent: 6,
    };
    const result = {
      ...given,
      height,
      margin: narrow ? { l: 45, r: 12, t: 30, b: 45 } : { l: 60, r: 45, t: 30, b: 50 },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: look.text, family: getComputedStyle(document.body).fontFamily, size },
      hoverlabel: { bgcolor: look.paper, bordercolor: look.faint, font: { color: look.text } },
      legend: {
        orientation: "h",
        x: 0,
        y: 1.02,
        xanchor: "left",
        yanchor: "bottom",
        ...given.legend,
      },
      modebar: {
        orientation: "v",
        bgcolor: "rgba(0,0,0,0)",
        color: look.grid,
        activecolor: look.faint,
      },
      showlegend: true,
    };
    for (const name of ["xaxis", "yaxis", ...Object.keys(given)]) {
      if (/^[xy]axis/.test(name)) {
        const own = given[name] ?? {};
        const title = { font: { size }, standoff: 8, ...own.title };
        if (narrow && title.text !== undefined) {
          title.text = wrapped(title.text, 34);
        }
        const few = narrow && name.startsWith("x") ? { nticks: 5 } : {};
        result[name] = { ...axis, ...few, ...own, title };
        if (narrow && own.dtick === "D2") {
          delete result[name].dtick; // more ticks than there is room for
        }
        if (narrow && own.categoryarray) {
          result[name].tickvals = own.categoryarray;
          result[name].ticktext = own.categoryarray.map((text) => wrapped(text, 16));
        }
      }
    }
    return result;
  }

  // The figures of a part of the page, and what is chosen for all of them.
  function control({ id, figures, schemes }) {
    const form = document.getElementById(`${id}choice`);
    const hidden = new Set(); // schemes

    function draw() {
      const look = colours();
      const choice = chosen(form);
      for (const figure of figures) {
        const element = document.getElementById(`figure-${figure.key}`);
        const shown = traces(figure, choice, hidden, look);
        const isEmpty = !shown.some((trace) => trace.meta.scheme !== undefined);
        element.hidden = isEmpty;
        element.nextElementSibling.hidden = !isEmpty;
        if (isEmpty) {
          continue;
        }
        const whole = { ...figure, traces: shown, layout: withRows(figure.layout, shown) };
        const drawn = figure.panels.length > 0 ? arrange(figure, shown) : whole;
        element.style.height = `${drawn.height}px`;
        Plotly.react(element, drawn.traces, layout(drawn, look), {
          responsive: true,
          displayModeBar: narrowness.matches ? false : "hover",
          displaylogo: false,
          modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
        });
        listen(element);
      }
      for (const box of form.querySelectorAll("input")) {
        box.checked = !hidden.has(box.value);
      }
    }

    function show(scheme, visible) {
      if (visible) {
        hidden.delete(scheme);
      } else {
        hidden.add(scheme);
      }
      draw();
    }

    // A click hides a scheme in all figures; a double click hides all others, or shows all again.
    function listen(element) {
      element.removeAllListeners("plotly_legendclick");
      element.removeAllListeners("plotly_legenddoubleclick");
      element.on("plotly_legendclick", ({ data, curveNumber }) => {
        const { scheme } = data[curveNumber].meta;
        if (scheme !== undefined) {
          show(scheme, hidden.has(scheme));
        }
        return false;
      });
      element.on("plotly_legenddoubleclick", ({ data, curveNumber }) => {
        const { scheme } = data[curveNumber].meta;
        const others = schemes.filter((name) => name !== scheme);
        const alone = others.every((name) => hidden.has(name));
        hidden.clear();
        if (scheme !== undefined && !alone) {
          others.forEach((name) => hidden.add(name));
        }
        draw();
        return false;
      });
    }

    form.addEventListener("change", ({ target }) => {
      if (target.type === "checkbox") {
        show(target.value, target.checked);
      } else {
        draw();
      }
    });
    darkness.addEventListener("change", draw);
    narrowness.addEventListener("change", draw);
    draw();
  }

  const parts = JSON.parse(document.getElementById("data").textContent);
  parts.filter(({ figures }) => figures.length > 0).forEach(control);

  const shown = 25; // rows of a table at first
  const settings = {
    autoWidth: false,
    columnDefs: [
      { targets: "opener", orderable: false, searchable: false },
      { targets: "number", type: "num" },
    ],
    language: {
      info: "_START_ to _END_ of _TOTAL_",
      infoEmpty: "none",
      infoFiltered: "(of _MAX_)",
      lengthMenu: "Show _MENU_",
      search: "Filter",
    },
    lengthMenu: [
      [shown, 100, -1],
      [shown, 100, "all"],
    ],
    order: [],
    pagingType: "simple_numbers",
  };
  for (const element of document.querySelectorAll("table.sorted")) {
    const isLong = element.tBodies[0].rows.length > shown;
    const filters = isLong || element.classList.contains("points");
    const alone = filters ? {} : { dom: "t", paging: false };
    const table = jQuery(element).DataTable({ ...settings, ...alone });
    jQuery(element).on("click", ".opener button", ({ currentTarget: button }) => {
      const row = table.row(button.closest("tr"));
      const open = !row.child.isShown();
      if (open) {
        row.child(button.nextElementSibling.innerHTML).show();
      } else {
        row.child.hide();
      }
      button.setAttribute("aria-expanded", open);
    });
  }
})();
