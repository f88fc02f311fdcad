package dev.outpost.runtime.cuda.check;

import java.util.Map;

/**
 * The result of a check.
 *
 * @param name what was checked
 * @param outcome how it went
 * @param detail what was found, in one line
 * @param remedy what to do about it, in one sentence; empty where nothing is to be done
 * @param figures what was measured in passing, by name and unit
 */
public record CheckResult(
        String name, CheckOutcome outcome, String detail, String remedy, Map<String, Double> figures) {

    public static CheckResult ok(String name, String detail) {
        return ok(name, detail, Map.of());
    }

    public static CheckResult ok(String name, String detail, Map<String, Double> figures) {
        return new CheckResult(name, CheckOutcome.OK, detail, "", figures);
    }

    public static CheckResult absent(String name, String detail, String remedy) {
        return new CheckResult(name, CheckOutcome.ABSENT, detail, remedy, Map.of());
    }

    public static CheckResult skipped(String name, String reason) {
        return new CheckResult(name, CheckOutcome.SKIPPED, reason, "", Map.of());
    }

    public static CheckResult failed(String name, String detail, String remedy) {
        return new CheckResult(name, CheckOutcome.FAILED, detail, remedy, Map.of());
    }
}
