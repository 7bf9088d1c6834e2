/** What a photo of each kind looks like when it is right: one line drawing for each, of 320 by 240, as a path. */

const PIPE = "M0 130H320M0 200H320M0 130a14 35 0 0 0 0 70";
const GROUND = "M0 96H70V216H250V96H320";

/** @type {Record<string, string>} */
const DRAWINGS = {
  // A tape from the joint's lip to the edge of the hole, and the hole.
  tape: `${PIPE}M70 122v86M78 122v86M78 108H226V92H78zM98 92v9M118 92v9M138 92v9M158 92v9M178 92v9M198 92v9M226 165a22 22 0 1 0 44 0a22 22 0 1 0 -44 0`,
  // The hole in the clean main with a rule across it.
  hole: `${PIPE}M122 165a38 28 0 1 0 76 0a38 28 0 1 0 -76 0M96 158H224V172H96zM116 158v7M136 158v7M156 158v7M176 158v7M196 158v7`,
  saddle: `${PIPE}M124 124q36 -18 72 0v82q-36 18 -72 0zM146 116V70h28v46M134 124v84M186 124v84`,
  pipe: `${PIPE}M60 146H250M60 162H210`,
  card: `${PIPE}M112 36h96v78h-96zM160 75V50M160 75l22 13M226 75h52m-14 -12l14 12l-14 12`,
  barricade: "M50 216V84M270 216V84M36 92H284V124H36zM36 144H284V176H36zM76 92l-20 32M126 92l-20 32M176 92l-20 32M226 92l-20 32M276 92l-20 32M76 144l-20 32M176 144l-20 32M276 144l-20 32M128 28h64v46h-64z",
  light: "M50 216V120M270 216V120M36 128H284V160H36zM142 128V108h36v20M132 108a28 34 0 1 1 56 0zM160 58V36M112 84l-20 -12M208 84l20 -12",
  probe: `M0 140H320M160 40V206M136 40H184M160 206l-7 -18M160 206l7 -18M200 140V200M192 140H208M192 200H208M40 160l20 14M90 176l20 14M230 164l20 14M270 184l20 14`,
  trench: `${GROUND}M70 132H250M70 166H250M70 200H250M270 96V166M262 96H278M262 166H278M140 208a20 20 0 1 0 40 0`,
  lateral: `M0 60H320M30 196L290 176M30 174L290 154M30 60V196M290 60V176M120 168v22M200 162v22`,
  gauge: "M160 40a80 80 0 1 0 .1 0M160 120l46 -40M110 170l10 -10M88 120h14M110 70l10 10M160 48v14M210 70l-10 10M232 120h-14M210 170l-10 -10M150 200v24h20v-24",
  display: "M70 40H250V200H70zM92 62H228V122H92zM110 110V76M136 76h22v16h-22v18h22M178 76h22v34h-22zM98 150h24v24H98zM148 150h24v24h-24zM198 150h24v24h-24z",
  sheet: "M90 24H230V216H90zM110 52H210M110 80H210M110 108H180M110 160q18 -22 30 0t30 -4M110 188H210",
  label: "M70 70H250V170H70zM88 90H170M88 110H200M88 130H150M200 128v26M208 128v26M214 128v26M224 128v26M232 128v26M50 60l20 10M50 180l20 -10",
  cover: "M60 130a100 52 0 1 0 200 0a100 52 0 1 0 -200 0M84 130a76 38 0 1 0 152 0a76 38 0 1 0 -152 0M120 112l80 36M120 148l80 -36M100 130h120",
  shaft: "M90 40V190M230 40V190M90 40a70 22 0 1 0 140 0a70 22 0 1 0 -140 0M90 190a70 22 0 1 0 140 0M110 186q20 -14 40 0t40 0M160 96q-18 26 0 36q18 -10 0 -36",
  outlet: "M40 20H220V180H40M40 180H320M180 20V150q0 18 18 18h40v-22h-28V20M254 160l30 8m-12 -12l12 12l-14 8M70 50h60v50H70z",
  cooler: "M60 90H260V206H60zM52 62H268V90H52zM130 62V40h60v22M146 76l28 32M174 76l-28 32",
  place: "M0 190H320M40 190V110L100 64L160 110V190M84 190V144h32v46M190 190l16 -40h60l16 40M222 150v-30M250 150v-30M212 120h48",
};

/** Which drawing stands for what a photo shows. @type {Record<string, string>} */
const SHOWS = {
  tape_at_joint: "tape", tape_at_lateral: "tape", inside_edge: "hole", hole: "hole", layout_marks: "hole", saddle_on: "saddle", main_cleaned: "pipe", print_line: "pipe",
  tracer_wire: "pipe", joint_group: "tape", clock_card: "card", barricade_side: "barricade", lights: "light", frost_probe: "probe", lift: "trench", bedding: "trench",
  spoil: "trench", swing_tie: "tape", wall_end: "lateral", main_end: "lateral", middle_run: "lateral", cleanout: "lateral", gauge_start: "gauge", gauge_end: "gauge",
  thermometer: "display", gas_meter: "display", sampler_display: "display", totalizer: "display", meter_at_reading: "display", permit: "sheet", license: "sheet", sketch: "sheet",
  labels: "label", seal: "label", nameplate: "label", cover: "cover", opening: "cover", approach: "cover", point: "shaft", dye_in_manhole: "shaft", damage: "shaft",
  setup: "cover", outlet_before: "outlet", outlet_after: "outlet", cap: "outlet", sealed_cooler: "cooler", overview: "place", before: "place", after: "place",
};

/** The path of the drawing, or of a camera where a photo may show anything. @param {string} [shows] */
export const exampleOf = (shows) => DRAWINGS[SHOWS[shows ?? ""]] ?? "M108 96h26l10 -16h32l10 16h26v72H108zM138 130a22 22 0 1 0 44 0a22 22 0 1 0 -44 0";

/** What the dictionary lets a photo show and has a drawing here. */
export const drawn = Object.keys(SHOWS);
