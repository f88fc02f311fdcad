package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.runtime.cuda.code.SourceText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares the number and the exact texts of the kernels of {@link FixedPrograms}. A changed text shows a change of the planner or of the
 * kernel writers, which should be reviewed before it replaces the old text: the new text is in {@code target}.
 */
@Tag("quick")
class ProgramTextsTest {
    private static final Path WRITTEN = Path.of("target", "program-texts");

    @TestFactory
    Stream<DynamicTest> texts() {
        return FixedPrograms.all().entrySet().stream()
                .map(program -> DynamicTest.dynamicTest(
                        program.getKey(), () -> assertText(program.getKey() + ".cu", program.getValue())));
    }

    @Test
    void textOfAttention() throws IOException {
        assertText("attention.cu", AttentionPrograms.attention());
    }

    private static void assertText(String file, Graph program) throws IOException {
        String text = text(program);
        Files.createDirectories(WRITTEN);
        Files.writeString(WRITTEN.resolve(file), text);
        assertEquals(golden(file), text);
    }

    private static String text(Graph program) {
        List<String> sources = ProgramSources.of(program);
        StringBuilder text = new StringBuilder();
        for (int number = 1; number <= sources.size(); number++) {
            text.append("// kernel ")
                    .append(number)
                    .append(" of ")
                    .append(sources.size())
                    .append('\n');
            text.append(SourceText.shortened(sources.get(number - 1)));
        }
        return text.toString();
    }

    private static String golden(String file) throws IOException {
        try (InputStream in = ProgramTextsTest.class.getResourceAsStream(file)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
