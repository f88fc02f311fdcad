package dev.outpost.torch.fuzz;

import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import java.util.Map;
import java.util.TreeMap;

/** Counts the executed statements by name. */
final class StatementCounts {
    private final Map<String, Integer> computedByOp = new TreeMap<>();
    private final Map<String, Integer> refusedByOp = new TreeMap<>();
    private final Map<String, Integer> explained = new TreeMap<>();
    private int programs;
    private int statements;

    void program() {
        programs++;
    }

    void count(FuzzStatement statement, StatementOutcome ours, StatementOutcome theirs) {
        statements++;
        boolean isRefused = ours instanceof Refused && theirs instanceof Refused;
        (isRefused ? refusedByOp : computedByOp).merge(statement.op(), 1, Integer::sum);
    }

    void explained(String reason, Difference difference) {
        explained.merge(reason, 1, Integer::sum);
    }

    int programs() {
        return programs;
    }

    int statements() {
        return statements;
    }

    int refused() {
        return refusedByOp.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns how often each op was computed by at least one side. */
    Map<String, Integer> computedByOp() {
        return computedByOp;
    }

    Map<String, Integer> refusedByOp() {
        return refusedByOp;
    }

    Map<String, Integer> explained() {
        return explained;
    }
}
