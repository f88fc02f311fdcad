package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.tape.Graph;
import dev.outpost.runtime.cuda.code.SourceText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * What {@link FixedPrograms} become, to the letter: how many kernels, and the text of each. A text that changes is a change of
 * the planner or of what writes kernels, which is to be read before it takes the old one's place.
 */
@Tag("quick")
class ProgramTextsTest {
    @TestFactory
    Stream<DynamicTest> texts() {
        return FixedPrograms.all().entrySet().stream()
                .map(program -> DynamicTest.dynamicTest(
                        program.getKey(), () -> assertEquals(golden(program.getKey()), text(program.getValue()))));
    }

    static String text(Graph program) {
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

    private static String golden(String name) throws IOException {
        try (InputStream in = ProgramTextsTest.class.getResourceAsStream(name + ".cu")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
