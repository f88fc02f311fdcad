package dev.outpost.torch;

import java.util.List;

/**
 * The results of the cases of one op.
 *
 * @param firstDifference the first failed case and its difference; null if all passed
 */
public record OpScore(String op, int passed, int failed, String firstDifference) {
    static OpScore of(String op, List<ParityOutcome> outcomes) {
        int passed = (int) outcomes.stream().filter(ParityOutcome::passed).count();
        String firstDifference = outcomes.stream()
                .filter(outcome -> !outcome.passed())
                .map(outcome -> outcome.id() + ": " + outcome.difference().orElseThrow())
                .findFirst()
                .orElse(null);
        return new OpScore(op, passed, outcomes.size() - passed, firstDifference);
    }

    /** Not called {@code isWhole}: Jackson would write it as a field. */
    public boolean allPassed() {
        return failed == 0;
    }
}
