package dev.outpost.system.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds the documentation site, and looks for dead links and for requests to other hosts in it. */
@Tag("full")
class SiteTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("<(\\w+)[^>]*?\\s(?:href|src)=(?:\"([^\"]*)\"|([^\\s>]+))");
    private static final Pattern ID = Pattern.compile("\\s(?:id|name)=(?:\"([^\"]*)\"|([^\\s>]+))");
    private static final Set<String> ENTRIES_OF_THE_THEME = Set.of("__search", "__drawer", "__consent");

    private final Map<Path, Set<String>> ids = new HashMap<>();

    @TempDir
    private Path folder;

    @Test
    void siteHasNoDeadLinkAndAsksNoOtherHost() throws Exception {
        Path site = build();
        List<Path> pages;
        try (Stream<Path> files = Files.walk(site)) {
            pages = files.filter(file -> file.getFileName().toString().equals("index.html"))
                    .toList();
        }
        assertTrue(pages.size() > 100, () -> "the site has " + pages.size() + " pages");
        Set<String> problems = new TreeSet<>();
        for (Path page : pages) {
            for (MatchResult link :
                    LINK.matcher(Files.readString(page)).results().toList()) {
                String target = link.group(2) == null ? link.group(3) : link.group(2);
                if (!isWell(page, link.group(1), target)) {
                    problems.add(site.relativize(page) + ": " + target);
                }
            }
        }
        assertEquals(Set.of(), problems);
        assertTrue(Files.exists(site.resolve("search/search_index.json")), "there is no search index");
        assertTrue(Files.size(site.resolve("assets/mermaid.min.js")) > 0, "there is no library for diagrams");
    }

    private Path build() throws IOException, InterruptedException {
        Path site = folder.resolve("site");
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        ROOT.resolve("packaging/site/site.sh").toString(), "--build", site.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(15, TimeUnit.MINUTES), "the site is not built in 15 minutes");
        } finally {
            process.destroyForcibly();
        }
        String printed = Files.readString(output);
        assumeTrue(!printed.contains("Python") && !printed.contains("could not be"), printed);
        assertEquals(0, process.exitValue(), printed);
        return site;
    }

    private boolean isWell(Path page, String element, String target) throws IOException {
        if (target.startsWith("data:") || target.startsWith("mailto:")) {
            return true;
        }
        if (target.startsWith("http:") || target.startsWith("https:") || target.startsWith("//")) {
            return element.equals("a");
        }
        String[] parts = target.split("#", 2);
        Path file = page.resolveSibling(URLDecoder.decode(parts[0].split("\\?")[0], StandardCharsets.UTF_8))
                .normalize();
        if (parts[0].isEmpty()) {
            file = page;
        } else if (Files.isDirectory(file)) {
            file = file.resolve("index.html");
        }
        if (!Files.exists(file)) {
            return false;
        }
        return parts.length == 1
                || parts[1].isEmpty()
                || hasId(file, URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }

    private boolean hasId(Path file, String id) throws IOException {
        Set<String> known = ids.get(file);
        if (known == null) {
            known = new HashSet<>(ENTRIES_OF_THE_THEME);
            for (MatchResult match :
                    ID.matcher(Files.readString(file)).results().toList()) {
                known.add(match.group(1) == null ? match.group(2) : match.group(1));
            }
            ids.put(file, known);
        }
        return known.contains(id);
    }
}
