package dev.outpost.runtime.cuda.check;

import java.util.List;
import java.util.Map;

/**
 * The result of a check.
 *
 * @param name the name of the checked component
 * @param outcome the outcome
 * @param detail the findings, in one line
 * @param remedy the advice about a problem, in one sentence; empty if nothing needs to be done
 * @param figures measured values by name and unit
 * @param cases the failed cases, a line each, if there can be several
 */
public record CheckResult(
        String name,
        CheckOutcome outcome,
        String detail,
        String remedy,
        Map<String, Double> figures,
        List<String> cases) {

    public static CheckResult ok(String name, String detail) {
        return ok(name, detail, Map.of());
    }

    public static CheckResult ok(String name, String detail, Map<String, Double> figures) {
        return new CheckResult(name, CheckOutcome.OK, detail, "", figures, List.of());
    }

    public static CheckResult absent(String name, String detail, String remedy) {
        return new CheckResult(name, CheckOutcome.ABSENT, detail, remedy, Map.of(), List.of());
    }

    public static CheckResult skipped(String name, String reason) {
        return new CheckResult(name, CheckOutcome.SKIPPED, reason, "", Map.of(), List.of());
    }

    public static CheckResult failed(String name, String detail, String remedy) {
        return failed(name, detail, remedy, List.of());
    }

    public static CheckResult failed(String name, String detail, String remedy, List<String> cases) {
        return new CheckResult(name, CheckOutcome.FAILED, detail, remedy, Map.of(), List.copyOf(cases));
    }
}
