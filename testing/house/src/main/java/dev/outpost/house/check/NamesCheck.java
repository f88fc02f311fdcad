package dev.outpost.house.check;

import dev.outpost.house.source.ParsedSources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Applies all rules to all sources, and compares the violations with the limits. */
public final class NamesCheck {
    private final Path limitsFile;
    private final CountLimits limits;
    private final List<Violation> violations;
    private final List<String> outdated;

    private NamesCheck(Path limitsFile, List<Violation> violations, List<String> outdated) throws IOException {
        this.limitsFile = limitsFile;
        this.limits = CountLimits.read(limitsFile);
        this.violations = violations;
        this.outdated = outdated;
    }

    /** Reads the sources below a root, and the lists of its {@code testing/house}. */
    public static NamesCheck of(Path root) throws IOException {
        Path lists = root.resolve("testing/house");
        ParsedSources sources = ParsedSources.below(root);
        SameNames sameNames = SameNames.read(lists.resolve("same-names.tsv"));
        List<Violation> violations = violations(sources, BannedWords.read(lists.resolve("words.tsv")), sameNames);
        return new NamesCheck(lists.resolve("limits.tsv"), violations, sameNames.outdated(sources));
    }

    static List<Violation> violations(ParsedSources sources, BannedWords words, SameNames sameNames) {
        BannedNames names = BannedNames.of(words);
        List<NameRule> rules = List.of(
                new BannedClasses(names),
                new BannedVariables(words),
                new BannedMethods(words),
                new BannedComments(words, names),
                sameNames,
                new VoidPredicates(),
                new CaughtNames());
        return rules.stream()
                .flatMap(rule -> rule.violations(sources))
                .distinct()
                .sorted(Comparator.comparing(Violation::path).thenComparingInt(Violation::line))
                .toList();
    }

    /** Returns the violations. */
    public List<Violation> violations() {
        return violations;
    }

    /** Returns the number of violations. */
    public CountLimits counts() {
        return CountLimits.of(violations);
    }

    /** Lowers the limits to the found numbers, and never raises one. Returns this check with the new limits. */
    public NamesCheck lower() throws IOException {
        limits.lowered(counts()).write(limitsFile);
        return new NamesCheck(limitsFile, violations, outdated);
    }

    /** Returns the differences between limits and violations, each with its remedy; an empty list if there are none. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>(outdated);
        CountLimits counts = counts();
        for (String module : limits.modules(counts)) {
            for (RuleName rule : RuleName.values()) {
                problems.addAll(problems(module, rule, counts.count(module, rule), limits.count(module, rule)));
            }
        }
        return problems;
    }

    private List<String> problems(String module, RuleName rule, int count, int limit) {
        if (count == limit) {
            return List.of();
        }
        String numbers = module + ": " + count + " violations of rule \"" + rule.column() + "\", the limit is " + limit;
        if (count < limit) {
            return List.of(
                    numbers + "; write " + count + " into testing/house/limits.tsv (./outpost names --lower does)");
        }
        List<String> lines = new ArrayList<>(List.of(numbers + "; new ones are among these:"));
        violations.stream()
                .filter(violation -> violation.module().equals(module) && violation.rule() == rule)
                .forEach(violation -> lines.add("  " + violation));
        return lines;
    }
}
