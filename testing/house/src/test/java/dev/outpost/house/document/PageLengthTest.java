package dev.outpost.house.document;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages that every newcomer reads stay short. Details belong to docs/architecture and to the READMEs of modules. */
class PageLengthTest {
    private static final Pattern NOT_COUNTED =
            Pattern.compile("(?s)<!-- begin: .*?<!-- end -->|```.*?```|(?-s)(?m:^ {4}.*$)");
    private static final Pattern WORD = Pattern.compile("\\S*\\w\\S*");

    @ParameterizedTest
    @CsvSource({"ARCHITECTURE.md, 1200", "CONTRIBUTING.md, 2000"})
    void pageHasAtMostThatManyWords(String page, int limit) throws IOException {
        String text = Files.readString(Path.of("../..").resolve(page));
        long words =
                WORD.matcher(NOT_COUNTED.matcher(text).replaceAll("")).results().count();
        assertTrue(words <= limit, page + " has " + words + " words, the limit is " + limit);
    }
}
