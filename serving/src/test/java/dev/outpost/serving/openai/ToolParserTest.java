package dev.outpost.serving.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests calls of functions in the formats of model families, in pieces of any size. */
class ToolParserTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Hello there.|Hello there.|",
                "Look:<tool_call>\\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\\n</tool_call>|Look:|f{\"a\":1}",
                "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call><tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>||f{} g{}",
                "{\"name\": \"f\", \"parameters\": {\"a\": \"b\"}}||f{\"a\":\"b\"}",
                "[{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\", \"arguments\": {}}]||f{} g{}",
                "{\"name\": \"h\", \"arguments\": {}}|{\"name\": \"h\", \"arguments\": {}}|",
                "<tool_call>{\"name\": \"h\", \"arguments\": {}}</tool_call>|<tool_call>{\"name\": \"h\", \"arguments\": {}}</tool_call>|",
                "{\"no\": \"call\"}|{\"no\": \"call\"}|",
                "a < b and <tool|a < b and <tool|",
                "<tool_call>nonsense</tool_call>|<tool_call>nonsense</tool_call>|",
                "<tool_call>{\"name\": \"f\", \"arguments\": {}}||f{}"
            })
    void callsAreFoundAndTheRestIsText(String reason, String text, String calls) {
        String message = reason.replace("\\n", "\n");
        for (int size = 1; size <= message.length(); size = 2 * size + 1) {
            ToolParser parser = new ToolParser(new ObjectMapper(), Set.of("f", "g"));
            StringBuilder plain = new StringBuilder();
            List<String> found = new ArrayList<>();
            for (int from = 0; from < message.length(); from += size) {
                take(parser.add(message.substring(from, Math.min(message.length(), from + size))), plain, found);
            }
            take(parser.end(), plain, found);
            assertEquals(text == null ? "" : text, plain.toString());
            assertEquals(calls == null ? "" : calls, String.join(" ", found));
        }
    }

    private static void take(ToolParser.Found some, StringBuilder plain, List<String> found) {
        plain.append(some.text());
        some.calls()
                .forEach(call ->
                        found.add(call.function().name() + call.function().arguments()));
    }
}
