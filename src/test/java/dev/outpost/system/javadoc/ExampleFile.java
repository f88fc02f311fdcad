package dev.outpost.system.javadoc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The regions of a source with examples: the lines of each, by its name. */
record ExampleFile(Map<String, List<String>> regions) {
    static final Path FOLDER = Path.of("java/dev/outpost/system/javadoc");

    private static final Pattern START = Pattern.compile("\\s*// @start region=\"(\\w+)\"");
    private static final Pattern END = Pattern.compile("\\s*// @end");
    /** A comment on a line of its own, or behind the end of a statement. */
    private static final Pattern COMMENT = Pattern.compile("(?:^\\s*|.*; )// ?(.*)");

    /** Reads a source. Regions end before the next one starts, and have different names. */
    static ExampleFile read(Path source) throws IOException {
        Map<String, List<String>> regions = new LinkedHashMap<>();
        List<String> open = null;
        for (String line : Files.readAllLines(source)) {
            Matcher start = START.matcher(line);
            if (start.matches()) {
                require(open == null, source, line);
                open = new ArrayList<>();
                require(regions.put(start.group(1), open) == null, source, line);
            } else if (END.matcher(line).matches()) {
                require(open != null, source, line);
                open = null;
            } else if (open != null) {
                open.add(line);
            }
        }
        require(open == null, source, "the last region has no end");
        return new ExampleFile(regions);
    }

    private static void require(boolean isValid, Path source, String line) {
        if (!isValid) {
            throw new IllegalArgumentException(source + ": " + line.strip());
        }
    }

    /** Returns the text that a region says it prints: the comments that follow calls of println, until the next code. */
    String printed(String region) {
        List<String> lines = regions.get(region);
        if (lines == null) {
            throw new NoSuchElementException("no region " + region + " in " + regions.keySet());
        }
        List<String> printed = new ArrayList<>();
        boolean isExpected = false;
        boolean isInside = false;
        for (String line : lines) {
            Matcher comment = COMMENT.matcher(line);
            boolean isCode = !line.strip().startsWith("//");
            isExpected |= line.contains("println(");
            if (isCode && isInside) {
                isExpected = line.contains("println(");
                isInside = false;
            }
            if (isExpected && comment.matches()) {
                printed.add(comment.group(1));
                isInside = true;
            }
        }
        return String.join("\n", printed);
    }
}
