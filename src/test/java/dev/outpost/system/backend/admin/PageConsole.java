package dev.outpost.system.backend.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The examples of a page: an indented line {@code $ ./outpost COMMAND} and the lines behind it, which are the output. Ids, keys, times, ages
 * and names of hosts may differ from the page; everything else is as the command prints it. {@code -Doutpost.golden=write} writes what the
 * commands print into the page.
 */
final class PageConsole {
    private static final String PROMPT = "    $ ./outpost ";
    private static final String INDENT = "    ";

    /** A line of progress, which the command writes to the standard error. */
    private static final String PROGRESS = "outpost-any: ";

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern KEY = Pattern.compile("op_[A-Za-z0-9_-]{20,}");
    private static final Map<Pattern, String> VARYING = new LinkedHashMap<>();

    static {
        VARYING.put(ID, "ID");
        VARYING.put(KEY, "KEY");
        VARYING.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z"), "TIME");
        VARYING.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\d"), "DAY");
        VARYING.put(Pattern.compile("\\S+@\\S+"), "OWNER");
        VARYING.put(Pattern.compile("\\b[0-9.]+ (ms|s|min|h)\\b"), "AGE");
        VARYING.put(Pattern.compile("\\b[a-z0-9]{10}(?= {2}|$)"), "KEY-ID");
        VARYING.put(Pattern.compile("process \\d+"), "process N");
        VARYING.put(Pattern.compile("\\d+ bytes"), "N bytes");
        VARYING.put(Pattern.compile("-{3,}"), "---");
        VARYING.put(Pattern.compile("[ \\t]+"), " ");
    }

    /**
     * An example.
     *
     * @param line the number of the command's line, from 0
     * @param arguments the words behind {@code ./outpost}
     */
    private record Example(int line, List<String> arguments, List<String> output) {}

    private final Path page;
    private final List<String> lines;
    private final Map<String, String> known = new LinkedHashMap<>();
    private final List<Example> examples = new ArrayList<>();
    private int next;
    private String host = "vm";

    PageConsole(Path page) {
        this.page = page;
        try {
            lines = new ArrayList<>(Files.readAllLines(page));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(PROMPT)) {
                examples.add(example(i));
            }
        }
    }

    private Example example(int line) {
        List<String> output = new ArrayList<>();
        for (int i = line + 1; i < lines.size() && isOutput(i); i++) {
            output.add(lines.get(i).isEmpty() ? "" : lines.get(i).substring(INDENT.length()));
        }
        String command = lines.get(line).substring(PROMPT.length()).replaceAll(" +#.*", "");
        return new Example(line, List.of(command.strip().split(" +")), output);
    }

    /** An empty line between two lines of output belongs to it. */
    private boolean isOutput(int line) {
        int last = lines.get(line).isEmpty() && line + 1 < lines.size() ? line + 1 : line;
        return lines.get(last).startsWith(INDENT) && !lines.get(last).startsWith(INDENT + "$ ");
    }

    /** Sets the name of this host, which the page calls {@code vm}. */
    PageConsole onHost(String name) {
        host = name;
        return this;
    }

    /** Says that a text of the page, such as a file or an id, stands for another one here. */
    PageConsole knowing(String ofPage, String here) {
        known.put(ofPage, here);
        return this;
    }

    /** Runs all examples. */
    void runAll(CommandUser user) {
        while (next < examples.size()) {
            run(user);
        }
    }

    /** Runs the next example, and compares its output. */
    void run(CommandUser user) {
        Example example = examples.get(next++);
        String[] arguments = example.arguments().stream()
                .map(word -> known.getOrDefault(word, word))
                .toArray(String[]::new);
        String output = user.does(arguments);
        List<String> expected = example.output().stream()
                .filter(line -> !line.startsWith(PROGRESS))
                .toList();
        learn(String.join("\n", expected), output);
        List<String> printed = output.lines().map(this::asOnPage).toList();
        if (!"write".equals(System.getProperty("outpost.golden"))) {
            assertSame(example, expected, printed);
        } else if (!isSame(example, expected, printed)) {
            write(example, printed);
        }
    }

    private void assertSame(Example example, List<String> expected, List<String> printed) {
        boolean isSame = isSame(example, expected, printed);
        if (!isSame) {
            assertEquals(
                    String.join("\n", normal(example, expected)),
                    String.join("\n", normal(example, printed)),
                    () -> page.getFileName() + ", line " + (example.line() + 1) + ", printed:\n"
                            + String.join("\n", printed));
        }
    }

    private boolean isSame(Example example, List<String> expected, List<String> printed) {
        List<String> one = normal(example, expected);
        List<String> other = normal(example, printed);
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            String line = one.get(i);
            boolean isAlike = line.endsWith("...")
                    ? other.get(i)
                            .startsWith(line.substring(0, line.length() - 3).strip())
                    : line.equals(other.get(i));
            if (!isAlike) {
                return false;
            }
        }
        return true;
    }

    /** Maps the ids and keys of the page to those that the command has printed. */
    private void learn(String expected, String printed) {
        for (Pattern pattern : List.of(ID, KEY)) {
            Matcher one = pattern.matcher(expected);
            Matcher other = pattern.matcher(printed);
            while (one.find() && other.find()) {
                known.put(one.group(), other.group());
            }
        }
    }

    /** Returns a line with the ids, files and the host of the page. A page shows a key that a command has printed. */
    private String asOnPage(String line) {
        String text = line.replace(host, "vm").stripTrailing();
        for (Map.Entry<String, String> one : known.entrySet()) {
            if (!KEY.matcher(one.getKey()).matches()) {
                text = text.replace(one.getValue(), one.getKey());
            }
        }
        return text;
    }

    private List<String> normal(Example example, List<String> output) {
        boolean isUse = example.arguments().getFirst().equals("usage");
        return output.stream()
                .map(line -> {
                    String text = line;
                    for (Map.Entry<Pattern, String> varying : VARYING.entrySet()) {
                        text = varying.getKey().matcher(text).replaceAll(varying.getValue());
                    }
                    return isUse ? text.replaceAll("\\b\\d+(\\.\\d+)?\\b", "N") : text;
                })
                .toList();
    }

    private void write(Example example, List<String> printed) {
        int from = example.line() + 1;
        List<String> output = lines.subList(from, from + example.output().size());
        List<String> progress = output.stream()
                .filter(line -> line.startsWith(INDENT + PROGRESS))
                .toList();
        output.clear();
        lines.addAll(
                from,
                printed.stream()
                        .map(line -> line.isEmpty() ? "" : INDENT + line)
                        .toList());
        lines.addAll(from, progress);
        int grown = printed.size() + progress.size() - example.output().size();
        examples.replaceAll(other -> other.line() <= example.line()
                ? other
                : new Example(other.line() + grown, other.arguments(), other.output()));
        try {
            Files.write(page, lines);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Fails if an example has not run. */
    void end() {
        assertTrue(next == examples.size(), () -> page.getFileName() + ": " + next + " of " + examples.size() + " ran");
    }
}
