// What a search puts first: pages for people who begin, before notes on how it was decided.
var Scorer = {
  score: ([docname, , , , score]) => {
    if (/^(decisions|changelog|contributing|architecture|reading-the-code|references|errata)/.test(docname)) return score - 8;
    if (/^(questions|tutorial-spam|first-model|start|how-to|commands)/.test(docname)) return score + 3;
    // A list of all errors has every word in it.
    if (docname === "errors") return score - 1;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
