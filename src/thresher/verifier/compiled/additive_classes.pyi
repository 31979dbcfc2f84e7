from thresher.verifier.compiled.class_rounds import ClassRounds

RULES: tuple[str, ...]

class AdditiveClasses(ClassRounds):
    def set_rule(self, rule: str, uniform: bool, most: float) -> None: ...
