package dev.outpost.runtime.cuda.check;

import java.util.List;
import java.util.Map;

/**
 * The result of a check.
 *
 * @param name what was checked
 * @param outcome how it went
 * @param detail what was found, in one line
 * @param remedy what to do about it, in one sentence; empty where nothing is to be done
 * @param figures what was measured in passing, by name and unit
 * @param cases each case that went wrong, a line each, where there may be several
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
