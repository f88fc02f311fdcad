package dev.outpost.system.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.api.Problem;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The messages on the page docs/reference/errors.md are in the sources, and the page has every code of the REST API. */
@Tag("quick")
class ErrorsPageTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern MESSAGE =
            Pattern.compile("^\\| `([^`]*)` \\| [^|]*[a-z][^|]* \\| [^|]* \\|$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("^\\| `([a-z-]+)` \\| (\\d{3}) \\| ", Pattern.MULTILINE);
    private static final Set<String> NOT_PRODUCT = Set.of("target", ".git", "docs", "test", "testing");

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/reference/errors.md"));
    }

    @Test
    void messagesOfThePageAreInTheSources() throws IOException {
        List<String> sources = sources();
        List<String> messages =
                MESSAGE.matcher(page()).results().map(row -> row.group(1)).toList();
        assertTrue(messages.size() > 50, messages::toString);
        assertEquals(
                List.of(),
                messages.stream()
                        .filter(message -> sources.stream().noneMatch(source -> hasAll(source, message)))
                        .toList());
    }

    @Test
    void pageHasEveryCodeOfTheApiWithItsStatus() throws IOException {
        List<String> expected = Stream.of(Problem.Code.values())
                .map(code -> code.name().toLowerCase(Locale.ROOT).replace('_', '-') + " " + code.status())
                .toList();
        List<String> listed = CODE.matcher(page())
                .results()
                .map(row -> row.group(1) + " " + row.group(2))
                .toList();
        assertEquals(expected, listed);
    }

    /** True if a source has the parts of a message in their order. */
    private static boolean hasAll(String source, String message) {
        int from = 0;
        for (String part : message.split("…")) {
            int found = source.indexOf(part.strip(), from);
            if (found < 0) {
                return false;
            }
            from = found + part.strip().length();
        }
        return true;
    }

    /** Returns the product's sources, with each text that is written in several pieces as one. */
    private static List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_PRODUCT.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.toString().endsWith(".java")) {
                    sources.add(Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", ""));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return sources;
    }
}
