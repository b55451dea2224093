// SPDX-License-Identifier: GPL-2.0-only
"use strict";
(() => {
  const page = JSON.parse(document.getElementById("data").textContent);
  const form = document.getElementById("choice");
  const darkness = matchMedia("(prefers-color-scheme: dark)");
  const narrowness = matchMedia("(max-width: 640px)");
  const hidden = new Set(); // schemes

  // What is chosen on each axis: the number of the value.
  const chosen = () =>
    Object.fromEntries([...form.querySelectorAll("select")].map((s) => [s.name, Number(s.value)]));

  // Each role's colours; a scheme brings its own for light and dark.
  const painters = {
    line: (trace, own) => ({
      line: { ...trace.line, color: own },
      marker: { ...trace.marker, color: own },
      error_y: { ...trace.error_y, color: own },
    }),
    bar: (trace, own, look) => ({ marker: { color: own }, textfont: { color: look.text } }),
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
    seam: (trace, own, look) => ({ line: { ...trace.line, color: look.paper } }),
    band: () => ({ fillcolor: "rgba(128, 128, 128, 0.3)" }),
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

  function traces(figure, look) {
    const choice = chosen();
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

  function layout(figure, shown, look) {
    const narrow = narrowness.matches;
    const { layout: given, height } = { ...figure, ...(narrow ? figure.narrow : {}) };
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
        result[name] = { ...axis, ...own, title };
        if (narrow && result[name].dtick === "D2") {
          delete result[name].dtick; // more ticks than there is room for
        }
      }
    }
    if (!shown.some((trace) => trace.meta.scheme !== undefined)) {
      const text = "no result for what is chosen";
      const middle = { xref: "paper", yref: "paper", x: 0.5, y: 0.5 };
      result.annotations = [{ text, ...middle, showarrow: false }];
    }
    return result;
  }

  function draw() {
    const look = colours();
    for (const figure of page.figures) {
      const element = document.getElementById(`figure-${figure.key}`);
      const shown = traces(figure, look);
      const arranged = layout(figure, shown, look);
      element.style.height = `${arranged.height}px`;
      Plotly.react(element, shown, arranged, {
        responsive: true,
        displayModeBar: narrowness.matches ? false : "hover",
        displaylogo: false,
        modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
      });
    }
    for (const box of form.querySelectorAll("input")) {
      box.checked = !hidden.has(box.value);
    }
    for (const swatch of form.querySelectorAll(".swatch")) {
      swatch.style.background = swatch.dataset[darkness.matches ? "dark" : "light"];
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
    element.on("plotly_legendclick", ({ data, curveNumber }) => {
      const { scheme } = data[curveNumber].meta;
      if (scheme !== undefined) {
        show(scheme, hidden.has(scheme));
      }
      return false;
    });
    element.on("plotly_legenddoubleclick", ({ data, curveNumber }) => {
      const { scheme } = data[curveNumber].meta;
      const others = page.schemes.filter((name) => name !== scheme);
      const alone = others.every((name) => hidden.has(name));
      hidden.clear();
      if (scheme !== undefined && !alone) {
        others.forEach((name) => hidden.add(name));
      }
      draw();
      return false;
    });
  }

  if (page.figures.length > 0) {
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
    page.figures.forEach(({ key }) => listen(document.getElementById(`figure-${key}`)));
  }

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
  for (const small of document.querySelectorAll("table.sorted:not(#points)")) {
    const alone = small.tBodies[0].rows.length <= shown ? { dom: "t", paging: false } : {};
    jQuery(small).DataTable({ ...settings, ...alone });
  }
  const table = jQuery("#points").DataTable(settings);
  jQuery("#points tbody").on("click", ".opener button", (event) => {
    const button = event.currentTarget;
    const row = table.row(button.closest("tr"));
    const open = !row.child.isShown();
    if (open) {
      row.child(button.nextElementSibling.innerHTML).show();
    } else {
      row.child.hide();
    }
    button.setAttribute("aria-expanded", open);
  });
})();
