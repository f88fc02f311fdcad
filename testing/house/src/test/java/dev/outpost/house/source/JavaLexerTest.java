package dev.outpost.house.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class JavaLexerTest {
    @Test
    void textsAndCommentsAreOneTokenEach() {
        String source = """
                /** a "b" */ x = "c // \\" d" + 'e' + '\\'' + 0x1fL; // f
                """ + "\"\"\"\ng \" /* h\n\"\"\".i();";
        assertEquals(
                List.of(
                        "/** a \"b\" */",
                        "x",
                        "=",
                        "\"c // \\\" d\"",
                        "+",
                        "'e'",
                        "+",
                        "'\\''",
                        "+",
                        "0x1fL",
                        ";",
                        "// f",
                        "\"\"\"\ng \" /* h\n\"\"\"",
                        ".",
                        "i",
                        "(",
                        ")",
                        ";"),
                JavaLexer.tokens(source).stream().map(token -> token.in(source)).toList());
    }

    @Test
    void aNameIsFoundAsAWhole() {
        String source = "int mostRows = /* most */ 1, most = 2;";
        assertEquals(source.indexOf("most = 2"), JavaLexer.find(source, "most", 0, source.length()));
        assertEquals(-1, JavaLexer.find(source, "Rows", 0, source.length()));
    }

    @Test
    void namesAreSplitIntoWords() {
        assertEquals(List.of("exchanging", "unit", "at"), CamelCase.words("exchangingUnitAt"));
        assertEquals(List.of("exchanging", "unit"), CamelCase.words("EXCHANGING_UNIT"));
        assertEquals(
                "io, exception; http2, server",
                List.of("IOException", "http2Server").stream()
                        .map(name -> String.join(", ", CamelCase.words(name)))
                        .collect(Collectors.joining("; ")));
    }

    @Test
    void aTypeBecomesAVariable() {
        assertEquals("launchGroup", CamelCase.small("LaunchGroup"));
        assertEquals("ioException", CamelCase.small("IOException"));
    }
}
