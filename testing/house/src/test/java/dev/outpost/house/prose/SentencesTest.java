package dev.outpost.house.prose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentencesTest {
    @Test
    void javadocIsReadUpToItsFirstBlockTagWithoutMarkup() {
        String source = """
                package a;

                /**
                 * Reads {@code n} bytes of the {@link java.io.InputStream stream}. Returns fewer at
                 * the end.
                 *
                 * <pre>code is not a sentence.</pre>
                 *
                 * {@snippet file="NeitherIsThis.java" region="that"}
                 *
                 * @param n no sentence either
                 */
                class A {
                    // Whether this is a sentence does not matter.
                    String text = "/** Nor is this. */";
                }
                """;
        assertEquals(
                List.of(
                        new Sentence("A.java", 4, "Reads n bytes of the stream."),
                        new Sentence("A.java", 4, "Returns fewer at the end.")),
                Sentences.ofJavadoc("A.java", source));
    }

    @Test
    void pageIsReadWithoutCodeTablesTitlesAndAddresses() {
        String page = """
                # A title

                First [a link](http://example.com/a.b). Second sentence
                goes on.

                - An item
                - Another `item`.

                | a | table. |

                ```
                code. Here.
                ```
                """;
        assertEquals(
                List.of("First a link.", "Second sentence goes on.", "An item", "Another item."),
                Sentences.ofMarkdown("a.md", page).stream().map(Sentence::text).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "It depends on what the client sent.|WHAT",
                "Nobody reads it.|ACTOR",
                "Of the form name=value.|NO_SUBJECT",
                "Whether the lane is open.|QUESTION",
                "Waits until the machine is there.|THERE",
                "Returns so many bytes.|THERE",
                "True if the lane is open.|",
                "From the first byte on, each reader waits.|",
                "Waits so many times that the caller gives up.|THERE"
            })
    void sentencesMatchPatterns(String text, SentencePattern pattern) {
        assertEquals(Optional.ofNullable(pattern), SentencePattern.of(new Sentence("a", 1, text)));
    }
}
