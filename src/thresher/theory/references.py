"""The sources of the theorems, by the key a theorem's ``reference`` names."""

from __future__ import annotations

REFERENCES = {
    "azuma1967": (
        "K. Azuma. Weighted sums of certain dependent random variables. Tohoku Mathematical "
        "Journal 19(3), 1967."
    ),
    "bartlettshawetaylor1999": (
        "P. Bartlett, J. Shawe-Taylor. Generalization performance of support vector machines and "
        "other pattern classifiers. Advances in Kernel Methods, MIT Press, 1999."
    ),
    "cesabianchiconconigentile2004": (
        "N. Cesa-Bianchi, A. Conconi, C. Gentile. On the generalization ability of on-line "
        "learning algorithms. IEEE Transactions on Information Theory 50(9), 2004."
    ),
    "cesabianchigentile2005": (
        "N. Cesa-Bianchi, C. Gentile. Improved risk tail bounds for on-line algorithms. Advances "
        "in Neural Information Processing Systems 18, 2005."
    ),
    "clopperpearson1934": (
        "C. J. Clopper, E. S. Pearson. The use of confidence or fiducial limits illustrated in the "
        "case of the binomial. Biometrika 26(4), 1934."
    ),
    "crammerdekel2006": (
        "K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer. Online passive-aggressive "
        "algorithms. Journal of Machine Learning Research 7, 2006."
    ),
    "crammersinger2003": (
        "K. Crammer, Y. Singer. Ultraconservative online algorithms for multiclass problems. "
        "Journal of Machine Learning Research 3, 2003."
    ),
    "duchihazansinger2011": (
        "J. Duchi, E. Hazan, Y. Singer. Adaptive subgradient methods for online learning and "
        "stochastic optimization. Journal of Machine Learning Research 12, 2011."
    ),
    "freundschapire1999": (
        "Y. Freund, R. E. Schapire. Large margin classification using the perceptron algorithm. "
        "Machine Learning 37(3), 1999."
    ),
    "gentile2003": (
        "C. Gentile. The robustness of the p-norm algorithms. Machine Learning 53(3), 2003."
    ),
    "gentilelittlestone1999": (
        "C. Gentile, N. Littlestone. The robustness of the p-norm algorithms. Proceedings of the "
        "12th Annual Conference on Computational Learning Theory, 1999."
    ),
    "grovelittlestoneschuurmans2001": (
        "A. J. Grove, N. Littlestone, D. Schuurmans. General convergence results for linear "
        "discriminant updates. Machine Learning 43(3), 2001."
    ),
    "herbsterwarmuth1998": (
        "M. Herbster, M. K. Warmuth. Tracking the best expert. Machine Learning 32(2), 1998."
    ),
    "howardramdas2020": (
        "S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon. Time-uniform Chernoff bounds via "
        "nonnegative supermartingales. Probability Surveys 17, 2020."
    ),
    "kivinenwarmuth1997": (
        "J. Kivinen, M. K. Warmuth. Exponentiated gradient versus gradient descent for linear "
        "predictors. Information and Computation 132(1), 1997."
    ),
    "krauthmezard1987": (
        "W. Krauth, M. Mezard. Learning algorithms with optimal stability in neural networks. "
        "Journal of Physics A 20, 1987."
    ),
    "littlestone1988": (
        "N. Littlestone. Learning quickly when irrelevant attributes abound: a new "
        "linear-threshold algorithm. Machine Learning 2(4), 1988."
    ),
    "littlestone1989": (
        "N. Littlestone. From on-line to batch learning. Proceedings of the 2nd Annual Workshop "
        "on Computational Learning Theory, 1989."
    ),
    "littlestone1991": (
        "N. Littlestone. Redundant noisy attributes, attribute errors, and linear-threshold "
        "learning using Winnow. Proceedings of the 4th Annual Workshop on Computational "
        "Learning Theory, 1991."
    ),
    "littlestonewarmuth1994": (
        "N. Littlestone, M. K. Warmuth. The weighted majority algorithm. Information and "
        "Computation 108(2), 1994."
    ),
    "mcdonaldhallmann2010": (
        "R. McDonald, K. Hall, G. Mann. Distributed training strategies for the structured "
        "perceptron. Proceedings of NAACL-HLT, 2010."
    ),
    "novikoff1962": (
        "A. B. J. Novikoff. On convergence proofs on perceptrons. Proceedings of the Symposium "
        "on the Mathematical Theory of Automata 12, 1962. Also H. D. Block. The perceptron: a "
        "model for brain functioning. Reviews of Modern Physics 34, 1962."
    ),
    "shalevshwartzbendavid2014": (
        "S. Shalev-Shwartz, S. Ben-David. Understanding Machine Learning. Cambridge University "
        "Press, 2014."
    ),
    "valiant1984": (
        "L. G. Valiant. A theory of the learnable. Communications of the ACM 27(11), 1984."
    ),
}

# Named in the docstrings, as the source of a step or of the learner itself.
MENTIONED = {
    "angluin1988": "D. Angluin. Queries and concept learning. Machine Learning 2(4), 1988.",
    "arorahazankale2012": (
        "S. Arora, E. Hazan, S. Kale. The multiplicative weights update method: a meta-algorithm "
        "and applications. Theory of Computing 8, 2012. A survey: the same update in games, linear "
        "programs, flows, boosting and learning."
    ),
    "barzdinfreivald1972": (
        "J. M. Barzdin, R. V. Freivald. On the prediction of general recursive functions. Soviet "
        "Mathematics Doklady 13, 1972."
    ),
    "blum1998": (
        "A. Blum. On-line algorithms in machine learning. Online Algorithms: the State of the Art, "
        "Lecture Notes in Computer Science 1442, 1998. A survey of the mistake-bound model."
    ),
    "freundschapire1997": (
        "Y. Freund, R. E. Schapire. A decision-theoretic generalization of on-line learning and an "
        "application to boosting. Journal of Computer and System Sciences 55(1), 1997."
    ),
    "hoeffding1963": (
        "W. Hoeffding. Probability inequalities for sums of bounded random variables. Journal of "
        "the American Statistical Association 58, 1963."
    ),
    "kivinenwarmuthauer1997": (
        "J. Kivinen, M. K. Warmuth, P. Auer. The perceptron algorithm versus Winnow: linear "
        "versus logarithmic mistake bounds when few input variables are relevant. Artificial "
        "Intelligence 97, 1997."
    ),
    "lizaragoza2002": (
        "Y. Li, H. Zaragoza, R. Herbrich, J. Shawe-Taylor, J. Kandola. The perceptron algorithm "
        "with uneven margins. Proceedings of the 19th International Conference on Machine "
        "Learning, 2002."
    ),
    "pittvaliant1988": (
        "L. Pitt, L. G. Valiant. Computational limitations on learning from examples. Journal of "
        "the ACM 35(4), 1988."
    ),
    "rosenblatt1958": (
        "F. Rosenblatt. The perceptron: a probabilistic model for information storage and "
        "organization in the brain. Psychological Review 65, 1958."
    ),
    "ville1939": "J. Ville. Etude critique de la notion de collectif. Gauthier-Villars, 1939.",
}
