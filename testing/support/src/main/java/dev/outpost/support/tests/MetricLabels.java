package dev.outpost.support.tests;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Names of Prometheus' metrics with the names of their labels: exported, documented, or used by a query. */
public final class MetricLabels {
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(\\{.*})? \\S+$");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_]\\w*)\\s*(?:=~|!~|!=|=)\\s*\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-zA-Z_:][\\w:]*)` \\|([^|]*)\\|");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
    private static final Pattern METRIC =
            Pattern.compile("(?<![\\w:.$])([a-zA-Z_:][\\w:]*)\\s*(\\{[^}]*})?(?![\\w:]*\\s*\\()");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

    private MetricLabels() {}

    /** Returns the metrics of an answer to a scrape. */
    public static Map<String, Set<String>> exported(String scrape) {
        Map<String, Set<String>> metrics = new TreeMap<>();
        Matcher samples = SAMPLE.matcher(scrape);
        while (samples.find()) {
            metrics.computeIfAbsent(samples.group(1), name -> new TreeSet<>()).addAll(labels(samples.group(2)));
        }
        return metrics;
    }

    /**
     * Returns the metrics of the tables in a section of a page: the first column has the name, the second one the labels.
     *
     * @param title the title of the section
     */
    public static Map<String, Set<String>> documented(String page, String title) {
        int begin = page.indexOf("\n## " + title + "\n");
        if (begin < 0) {
            throw new IllegalArgumentException("the page has no section " + title);
        }
        int end = page.indexOf("\n## ", begin + 1);
        Map<String, Set<String>> metrics = new TreeMap<>();
        Matcher rows = ROW.matcher(end < 0 ? page.substring(begin) : page.substring(begin, end));
        while (rows.find()) {
            metrics.put(
                    rows.group(1),
                    CODE.matcher(rows.group(2))
                            .results()
                            .map(code -> code.group(1))
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        return metrics;
    }

    /** Returns the metrics of a query. A label by which the query groups counts as a label of all its metrics. */
    public static Map<String, Set<String>> queried(String query) {
        String plain = RANGE.matcher(query).replaceAll(" ");
        Set<String> grouping = GROUPING.matcher(plain)
                .results()
                .flatMap(group -> Arrays.stream(group.group(1).split(",")))
                .map(String::strip)
                .filter(label -> !label.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Set<String>> metrics = new TreeMap<>();
        Matcher names = METRIC.matcher(GROUPING.matcher(plain).replaceAll(" "));
        while (names.find()) {
            if (!WORDS.contains(names.group(1))) {
                Set<String> labels = metrics.computeIfAbsent(names.group(1), name -> new TreeSet<>(grouping));
                labels.addAll(labels(names.group(2)));
            }
        }
        return metrics;
    }

    private static Set<String> labels(String braces) {
        return braces == null
                ? Set.of()
                : LABEL.matcher(braces)
                        .results()
                        .map(label -> label.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
    }
}
