package dev.outpost.runner;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/** The results in Surefire's reports: slow tests, skipped tests with their reasons, failures, and the counts. */
final class Summary {
    /** A test that takes longer belongs to the full suite. */
    private static final double SLOW_SECONDS = 20;

    private enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    private record Result(String name, double seconds, Outcome outcome, String reason) {
        boolean has(Outcome other) {
            return outcome == other;
        }
    }

    private final List<Result> results = new ArrayList<>();

    static Summary of(Path root) throws IOException {
        Summary summary = new Summary();
        for (Path report : SurefireReports.files(root)) {
            summary.add(Xml.read(report));
        }
        return summary;
    }

    private void add(Element suite) {
        List<Result> found =
                Xml.children(suite, "testcase").map(Summary::result).toList();
        results.addAll(found.isEmpty() ? List.of(nothingRan(suite)) : found);
    }

    /** Returns the result of a class whose {@code @BeforeAll} was aborted by an assumption, as Surefire reports it. */
    private static Result nothingRan(Element suite) {
        return new Result(suite.getAttribute("name"), 0, Outcome.SKIPPED, "no test of the class ran");
    }

    private static Result result(Element test) {
        String name = name(test);
        double seconds = seconds(test);
        return Stream.of("failure", "error")
                .flatMap(tag -> Xml.children(test, tag))
                .findFirst()
                .map(failure -> new Result(name, seconds, Outcome.FAILED, reason(failure)))
                .or(() -> Xml.child(test, "skipped")
                        .map(skipped -> new Result(name, seconds, Outcome.SKIPPED, reason(skipped))))
                .orElseGet(() -> new Result(name, seconds, Outcome.PASSED, ""));
    }

    private static double seconds(Element test) {
        String time = test.getAttribute("time").replace(",", "");
        return time.isEmpty() ? 0 : Double.parseDouble(time);
    }

    private static String name(Element test) {
        String owner = test.getAttribute("classname");
        String method = test.getAttribute("name");
        return method.isEmpty() ? owner : owner + "." + method;
    }

    /** Returns the first line of the message, without the exception class that JUnit writes before a failed assumption. */
    private static String reason(Element why) {
        String message = why.getAttribute("message");
        String text = message.isBlank() ? why.getTextContent().strip() : message.strip();
        String firstLine = text.lines().findFirst().orElse("no reason given");
        return firstLine.replaceFirst("^org\\.opentest4j\\.TestAbortedException: (Assumption failed: )?", "");
    }

    /** Prints the tests that are too slow for the default suite. */
    void printSlow(PrintStream out) {
        List<Result> slow = results.stream()
                .filter(result -> result.seconds() > SLOW_SECONDS)
                .sorted(Comparator.comparingDouble(Result::seconds).reversed())
                .toList();
        if (!slow.isEmpty()) {
            out.printf(Locale.ROOT, "tests above %.0f s:%n", SLOW_SECONDS);
            slow.forEach(result -> out.printf(Locale.ROOT, "  %6.1f s  %s%n", result.seconds(), result.name()));
            out.println();
        }
    }

    void print(PrintStream out) {
        printAll("skipped", Outcome.SKIPPED, out);
        printAll("failed", Outcome.FAILED, out);
        out.printf(
                "%d passed, %d failed, %d skipped%n",
                count(Outcome.PASSED), count(Outcome.FAILED), count(Outcome.SKIPPED));
    }

    private void printAll(String title, Outcome outcome, PrintStream out) {
        List<Result> found =
                results.stream().filter(result -> result.has(outcome)).toList();
        if (!found.isEmpty()) {
            out.println(title + ":");
            found.forEach(result -> out.println("  " + result.name() + ": " + result.reason()));
            out.println();
        }
    }

    private long count(Outcome outcome) {
        return results.stream().filter(result -> result.has(outcome)).count();
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    boolean isGood() {
        return count(Outcome.FAILED) == 0 && count(Outcome.PASSED) > 0;
    }
}
