import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Sums up the Surefire reports below a folder: what failed, what was skipped and why, and how many passed. Exits with 1
 * when a test failed or none ran. {@code ./outpost test} runs this file as it is.
 */
final class TestSummary {
    private static final Path REPORTS = Path.of("target", "surefire-reports");

    private enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    private record Result(String name, Outcome outcome, String reason) {}

    private final List<Result> results = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        var summary = new TestSummary();
        for (var report : reports(Path.of(args[0]))) {
            summary.add(report);
        }
        summary.print();
        System.exit(summary.isGood() ? 0 : 1);
    }

    private static List<Path> reports(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(TestSummary::isReport).sorted().toList();
        }
    }

    private static boolean isReport(Path file) {
        var name = file.getFileName().toString();
        return file.getParent() != null
                && file.getParent().endsWith(REPORTS)
                && name.startsWith("TEST-")
                && name.endsWith(".xml");
    }

    private void add(Path report) throws Exception {
        var suite = parser().parse(report.toFile()).getDocumentElement();
        var tests = children(suite, "testcase").map(TestSummary::result).toList();
        results.addAll(tests.isEmpty() ? List.of(nothingRan(suite)) : tests);
    }

    private static DocumentBuilder parser() throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder();
    }

    /** The result that Surefire leaves of a class whose {@code @BeforeAll} found an assumption not to hold. */
    private static Result nothingRan(Element suite) {
        return new Result(suite.getAttribute("name"), Outcome.SKIPPED, "no test of the class ran");
    }

    private static Result result(Element test) {
        var name = name(test);
        for (var failure : List.of("failure", "error")) {
            var found = children(test, failure).findFirst();
            if (found.isPresent()) {
                return new Result(name, Outcome.FAILED, reason(found.get()));
            }
        }
        return children(test, "skipped")
                .findFirst()
                .map(skipped -> new Result(name, Outcome.SKIPPED, reason(skipped)))
                .orElseGet(() -> new Result(name, Outcome.PASSED, ""));
    }

    private static String name(Element test) {
        var owner = test.getAttribute("classname");
        var method = test.getAttribute("name");
        return method.isEmpty() ? owner : owner + "." + method;
    }

    /** The first line of the message; JUnit writes a failed assumption's as an exception, whose class says nothing here. */
    private static String reason(Element why) {
        var message = why.getAttribute("message");
        var text = message.isBlank() ? why.getTextContent().strip() : message.strip();
        var firstLine = text.lines().findFirst().orElse("no reason given");
        return firstLine.replaceFirst("^org\\.opentest4j\\.TestAbortedException: (Assumption failed: )?", "");
    }

    private static Stream<Element> children(Element parent, String tag) {
        var found = parent.getElementsByTagName(tag);
        return IntStream.range(0, found.getLength()).mapToObj(found::item).map(Element.class::cast);
    }

    private void print() {
        printAll("skipped", Outcome.SKIPPED);
        printAll("failed", Outcome.FAILED);
        System.out.printf(
                "%d passed, %d failed, %d skipped%n",
                count(Outcome.PASSED), count(Outcome.FAILED), count(Outcome.SKIPPED));
    }

    private void printAll(String title, Outcome outcome) {
        var lines = results.stream()
                .filter(result -> result.outcome() == outcome)
                .map(result -> "  " + result.name() + ": " + result.reason())
                .collect(joining("\n"));
        if (!lines.isEmpty()) {
            System.out.println(title + ":\n" + lines + "\n");
        }
    }

    private long count(Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }

    private boolean isGood() {
        return count(Outcome.FAILED) == 0 && count(Outcome.PASSED) > 0;
    }
}
