// The answers of the lab, as src/thresher/lab has them.
export interface LearnerCurve {
  text: string;
  title: string;
  commands: string[];
  python: string;
  mistakes: number;
  curve: [number, number][];
  all: boolean;
}

export interface Overview {
  stream: string;
  title: string;
  facts: string[];
  secret: string | null;
  labels: [string, string];
  rounds: number;
  features: number;
  learners: LearnerCurve[];
}

export interface Part {
  name: string;
  adds: number;
  text: string;
}

export interface ShownWeight {
  column: number;
  name: string;
  value: number;
  text: string;
  active: boolean;
  moved: number;
}

export interface Frame {
  t: number;
  label: string;
  said: string;
  wrong: boolean;
  mistakes: number;
  sentence: string;
  score: number;
  exact: string;
  text: string;
  threshold: number;
  parts: Part[];
  more: number;
  more_adds: number;
  weights: ShownWeight[];
  n_weights: number;
}

export interface Line {
  name: string;
  values: (number | null)[];
}

export interface Potential {
  title: string;
  rounds: number[];
  line: Line;
  most: Line | null;
  least: Line | null;
  others: Line[];
  statement: string;
}

export interface Tick {
  statement: string;
  places: number;
  holds: boolean;
  arithmetic: string;
  failure: string;
}

export interface Evidence {
  made: number;
  allowed: number | null;
  theorem: string | null;
  statement: string;
  reference: string;
  measured: { name: string; meaning: string; value: string }[];
  kind: string;
  says: string[];
  target: string;
  replayed: boolean;
  audit: Tick[];
  check: string[];
  why_not: string;
  potential: Potential | null;
}

export interface History {
  name: string;
  start: number;
  weight: number;
  matches: boolean | null;
  updates: number;
  entries: { t: number; label: string; value: number; weight: number }[];
}

export interface Kind {
  kind: string;
  summary: string;
  random: boolean;
  /** How large the lab makes some of its parameters. */
  most: Record<string, number>;
  parameters: Record<string, string | null>;
}

export interface LiveFrame {
  model: string;
  connected: boolean;
  said: string;
  state: LiveState | null;
  rate: number | null;
  errors: { end: number; error: number; shadow: number | null }[];
}

export interface LiveState {
  sequence: number;
  learner: string;
  n_rounds: number;
  mistakes: number;
  recent_error: number | null;
  claim: string | null;
  allowed: { mistakes: number; false_negatives: number | null; false_positives: number | null } | null;
  false_negatives: number | null;
  false_positives: number | null;
  refuted_at: number | null;
  drifts: number;
  drift_at: number | null;
  shadow: { learner: string; recent_error: number | null; both_played: number; champion_mistakes: number; mistakes: number } | null;
  rounds: { sequence: number; prediction: string | number | null; label: string | number | null; score: number | null; mistake: boolean | null }[];
  alarms: { event: string; sequence: number; claim: string | null; to: number | null; before: number | null; recent: number | null; window: number | null }[];
  curve: [number, number, number | null][];
}

export interface Start {
  version: string;
  live: { address: string; model: string | null } | null;
  stream: string;
  kinds: Kind[];
  learners: string[];
  several: string[];
}

export interface RaceLine {
  learner: string;
  points: [number, number][];
  made: number;
  missed: number | null;
  alarms: number | null;
  last: number | null;
  speed: number | null;
  allowed: number | null;
  theorem: string | null;
  known: string;
  refuted_in: number | null;
  out: string | null;
  low: number[] | null;
  high: number[] | null;
}

export interface RaceFrame {
  rounds: number;
  total: number | null;
  lines: RaceLine[];
  phase: string;
  title: string;
  secret: string | null;
  seeds: number;
  commands: string[];
  python: string;
  several: boolean;
}

export interface Look {
  name: string;
  format: string;
  rows: number;
  labels: string;
  counts: Record<string, number>;
  positive: string | null;
  features: number;
  columns: { name: string; kind: string; example: string }[];
  more_columns: number;
  bad: string[];
  bad_lines: number;
  remarks: string[];
  cut: boolean;
  command: string;
  several: boolean;
  learners: string[];
}

/** How to make the model and its report without the lab. */
export interface Elsewhere {
  commands: string[];
  python: string;
}

export interface Weighty {
  column: number;
  name: string;
  adds: number;
  rows: number;
}

export interface Quality {
  learner: string;
  mistakes: number;
  rounds: number;
  classes: string[];
  others: number;
  confusion: number[][];
  figures: { label: string; rows: number; precision: number | null; recall: number | null }[];
  calibration: { rows: number; said: number; came: number }[];
  probable: string;
  roc: [number, number][];
  area: number | null;
  weights: { label: string; for_: Weighty[]; against: Weighty[] }[];
  unit: string;
  journal: boolean;
}

export interface Explained {
  t: number;
  rounds: number;
  label: string;
  said: string;
  probability: number | null;
  of: string;
  unit: string;
  total: number;
  constant: number;
  parts: { name: string; value: number; adds: number }[];
  more: number;
}
