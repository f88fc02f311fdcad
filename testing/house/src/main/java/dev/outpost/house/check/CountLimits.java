package dev.outpost.house.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The most violations of each rule in each module. A limit may only become lower. */
public record CountLimits(Map<String, Map<RuleName, Integer>> counts) {
    private static final String COMMENT = """
            # How many violations a module has of each rule; a module without a row has none. NamesTest fails where a number differs:
            # numbers may only become lower. "./outpost names --lower" writes them.
            """;
    private static final RuleName[] RULES = RuleName.values();

    static CountLimits read(Path file) throws IOException {
        Map<String, Map<RuleName, Integer>> counts = new TreeMap<>();
        for (List<String> row : TsvTable.read(file, RULES.length + 1)) {
            Map<RuleName, Integer> limits = new EnumMap<>(RuleName.class);
            for (RuleName rule : RULES) {
                limits.put(rule, Integer.valueOf(row.get(rule.ordinal() + 1)));
            }
            counts.put(row.getFirst(), limits);
        }
        return new CountLimits(counts);
    }

    static CountLimits of(List<Violation> violations) {
        Map<String, Map<RuleName, Integer>> counts = new TreeMap<>();
        for (Violation violation : violations) {
            counts.computeIfAbsent(violation.module(), ignored -> new EnumMap<>(RuleName.class))
                    .merge(violation.rule(), 1, Integer::sum);
        }
        return new CountLimits(counts);
    }

    /** Returns the number of a module and a rule. */
    public int count(String module, RuleName rule) {
        return counts.getOrDefault(module, Map.of()).getOrDefault(rule, 0);
    }

    /** Returns all modules that have a number in either. */
    Set<String> modules(CountLimits other) {
        Set<String> modules = new TreeSet<>(counts.keySet());
        modules.addAll(other.counts.keySet());
        return modules;
    }

    /** Returns the lower of each two numbers. */
    CountLimits lowered(CountLimits actual) {
        Map<String, Map<RuleName, Integer>> lower = new TreeMap<>();
        for (String module : counts.keySet()) {
            Map<RuleName, Integer> row = new EnumMap<>(RuleName.class);
            for (RuleName rule : RULES) {
                row.put(rule, Math.min(count(module, rule), actual.count(module, rule)));
            }
            if (row.values().stream().anyMatch(number -> number > 0)) {
                lower.put(module, row);
            }
        }
        return new CountLimits(lower);
    }

    void write(Path file) throws IOException {
        Files.writeString(file, COMMENT + text());
    }

    /** Returns the rows, with a first row that names the columns. */
    public String text() {
        List<String> lines = new ArrayList<>();
        lines.add(line("module", Stream.of(RULES).map(RuleName::column)));
        counts.keySet()
                .forEach(module ->
                        lines.add(line(module, Stream.of(RULES).map(rule -> String.valueOf(count(module, rule))))));
        return String.join("\n", lines) + "\n";
    }

    private static String line(String first, Stream<String> others) {
        return first + others.collect(Collectors.joining("\t", "\t", ""));
    }
}
