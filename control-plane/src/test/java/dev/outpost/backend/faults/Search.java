package dev.outpost.backend.faults;

import dev.outpost.backend.faults.Invariants.Rule;
import dev.outpost.backend.faults.Invariants.Violation;
import dev.outpost.support.tests.Shrinker;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Runs histories, and shortens a history that breaks a rule as far as possible. */
final class Search implements AutoCloseable {
    private static final int MAX_TRIALS = 100;

    private final EmptiedDatabase database;
    private final Map<Rule, Finding> findings = new EnumMap<>(Rule.class);
    private int histories;
    private int broken;
    private int steps;
    private int faults;

    Search(Defect defect) {
        this.database = new EmptiedDatabase(defect);
    }

    /**
     * A history that breaks a rule.
     *
     * @param kept the numbers of the needed steps among the steps of the seed
     */
    record Finding(long seed, int count, List<Integer> kept, List<Violation> violations, List<String> lines) {
        /** Returns the text with the commands that repeat the history. */
        String text() {
            String numbers = kept.stream().map(Object::toString).collect(Collectors.joining(","));
            return "seed " + seed + ": " + kept.size() + " of " + count + " steps break "
                    + violations.stream()
                            .map(one -> one.rule() + ": " + one.text())
                            .distinct()
                            .limit(3)
                            .collect(Collectors.joining("; "))
                    + "\nrepeat: ./outpost test FaultTest.repeatedHistoryKeepsTheRules -Doutpost.faults.seed=" + seed
                    + " -Doutpost.faults.count=" + count + " -Doutpost.faults.steps=" + numbers + "\n"
                    + String.join("\n", lines);
        }
    }

    /** Runs the history of a seed. The first one that breaks a rule is made as short as possible. */
    void run(long seed, int count) {
        List<HistoryStep> drawn = StepDrawer.draw(seed, count);
        histories++;
        steps += drawn.size();
        faults += (int) drawn.stream().filter(HistoryStep::isFault).count();
        List<Violation> violations = violations(drawn, seed);
        broken += violations.isEmpty() ? 0 : 1;
        violations.stream()
                .map(Violation::rule)
                .distinct()
                .filter(rule -> !findings.containsKey(rule))
                .forEach(rule -> findings.put(rule, shrunk(seed, count, drawn, rule)));
    }

    /** One finding for each broken rule. */
    Map<Rule, Finding> findings() {
        return findings;
    }

    /** Counts of the histories that were run, and the findings. */
    String text() {
        return histories + " histories with " + steps + " steps, " + faults + " of them faults; " + broken
                + " break a rule"
                + findings.values().stream().map(one -> "\n" + one.text()).collect(Collectors.joining());
    }

    private Finding shrunk(long seed, int count, List<HistoryStep> drawn, Rule rule) {
        List<Integer> kept = new Shrinker<Integer>(
                        MAX_TRIALS,
                        some -> violations(some(drawn, some), seed).stream().anyMatch(one -> one.rule() == rule))
                .shrink(IntStream.range(0, drawn.size()).boxed().toList());
        return repeat(seed, count, kept)
                .orElseThrow(() -> new IllegalStateException("seed " + seed + ": the history does not repeat itself"));
    }

    /** Runs a history of the given steps again. */
    Optional<Finding> repeat(long seed, int count, List<Integer> kept) {
        List<HistoryStep> drawn = StepDrawer.draw(seed, count);
        History history = run(some(drawn, kept), seed);
        List<Violation> violations = Invariants.check(history);
        return violations.isEmpty()
                ? Optional.empty()
                : Optional.of(new Finding(seed, count, kept, violations, lines(history)));
    }

    private static List<String> lines(History history) {
        return history.happenings().stream()
                .filter(one -> !(one.what() instanceof Happening.Quiet))
                .filter(one -> !(one.what() instanceof Happening.Listed || one.what() instanceof Happening.Spent))
                .map(one -> "  " + one.at() + " " + one.what())
                .toList();
    }

    private static List<HistoryStep> some(List<HistoryStep> drawn, List<Integer> kept) {
        return kept.stream().map(drawn::get).toList();
    }

    private List<Violation> violations(List<HistoryStep> someSteps, long seed) {
        return Invariants.check(run(someSteps, seed));
    }

    History run(List<HistoryStep> someSteps, long seed) {
        return new World(someSteps, seed, database.emptied()).run();
    }

    @Override
    public void close() {
        database.close();
    }
}
