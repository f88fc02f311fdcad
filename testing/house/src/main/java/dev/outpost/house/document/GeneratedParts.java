package dev.outpost.house.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The parts of documents that {@code ./outpost architecture --write} writes: the diagram of modules, and the targets of links that are names of
 * classes, such as {@code [`Planner`]}. Each part is between two comments.
 */
final class GeneratedParts {
    private static final Pattern DIAGRAM =
            Pattern.compile("(<!-- begin: modules -->\n```mermaid\n)(.*?)(```\n<!-- end -->)", Pattern.DOTALL);
    private static final Pattern TARGETS =
            Pattern.compile("(<!-- begin: links -->\n)(.*?)(<!-- end -->)", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\[`(\\w+)`](?![(:])");

    private GeneratedParts() {}

    /** Returns each page that has a generated part, with its text as it has to be. */
    static Map<Path, String> expected(Path root) throws IOException {
        ProjectFiles files = ProjectFiles.below(root);
        String diagram = new ModuleDiagram(ProjectModule.below(root)).text();
        Map<String, Path> sources = new HashMap<>();
        files.sources().forEach(source -> sources.putIfAbsent(simpleName(source), source));
        Map<Path, String> expected = new TreeMap<>();
        for (Path page : files.pages()) {
            String text = Files.readString(page);
            if (TARGETS.matcher(text).find()) {
                expected.put(page, replace(replace(text, DIAGRAM, diagram), TARGETS, targets(text, page, sources)));
            }
        }
        return expected;
    }

    private static String simpleName(Path source) {
        return source.getFileName().toString().replace(".java", "");
    }

    private static String replace(String page, Pattern place, String text) {
        return place.matcher(page)
                .replaceFirst(found -> Matcher.quoteReplacement(found.group(1) + text + found.group(3)));
    }

    private static String targets(String text, Path page, Map<String, Path> sources) {
        return LINK
                .matcher(text)
                .results()
                .map(link -> link.group(1))
                .filter(sources::containsKey)
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .map(name -> "[`" + name + "`]: " + relative(page, sources.get(name)) + "\n")
                .collect(Collectors.joining());
    }

    private static String relative(Path page, Path source) {
        return page.getParent().relativize(source).toString().replace('\\', '/');
    }
}
