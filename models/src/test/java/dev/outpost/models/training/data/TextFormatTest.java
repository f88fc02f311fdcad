package dev.outpost.models.training.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines as data sets have them, in tokens of the tiny model with a tokenizer, whose texts end by token 2. */
class TextFormatTest {
    private static final int END = 2;

    private static RemoteMachine machine;
    private static CausalLM model;

    @BeforeAll
    static void load() {
        String uri =
                "file:" + TextFormatTest.class.getResource("/fixtures/text").getPath();
        machine = RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:/"));
        model = CausalLM.load(machine, uri);
    }

    @AfterAll
    static void close() {
        model.close();
        machine.close();
    }

    private static TokenizedText json(String line) {
        return TextFormat.json(model).tokens(line);
    }

    private static int[] learned(TokenizedText text) {
        return IntStream.range(0, text.ids().length)
                .filter(place -> text.isLearned()[place])
                .map(place -> text.ids()[place])
                .toArray();
    }

    private static int[] encoded(String text) {
        return model.tokenizer().encode(text, false);
    }

    private static int[] ended(int[] ids) {
        return IntStream.concat(IntStream.of(ids), IntStream.of(END)).toArray();
    }

    @Test
    void textIsLearnedWithItsEnd() {
        TokenizedText line = TextFormat.lines(model).tokens("The machine reads");
        assertArrayEquals(ended(model.tokenizer().encode("The machine reads")), line.ids());
        assertArrayEquals(line.ids(), learned(line));
        assertArrayEquals(line.ids(), json("{\"text\": \"The machine reads\"}").ids());
    }

    @Test
    void completionIsLearnedAndItsPromptIsNot() {
        TokenizedText line = json("{\"prompt\": \"The machine\", \"completion\": \" reads\"}");
        assertArrayEquals(ended(encoded(" reads")), learned(line));
        int[] prompt = model.tokenizer().encode("The machine");
        assertArrayEquals(prompt, Arrays.copyOf(line.ids(), prompt.length));
    }

    @Test
    void tokensAreTakenAsTheyAre() {
        TokenizedText line = json("{\"prompt_ids\": [5, 6], \"ids\": [7, 8, 9]}");
        assertArrayEquals(new int[] {5, 6, 7, 8, 9}, line.ids());
        assertArrayEquals(new int[] {7, 8, 9}, learned(line));
        assertArrayEquals(new int[] {7, 8}, learned(json("{\"ids\": [7, 8]}")));
    }

    /** The model learns the end of a message as well: by it the model says that its answer is whole. */
    @Test
    void lastMessageIsLearnedAsTheTemplateWritesIt() {
        TokenizedText line = json("""
                {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"},
                              {"role": "assistant", "content": "Hello"}]}""");
        String before = "<|system|>\nBe brief.<|end|>\n<|user|>\nHi<|end|>\n<|assistant|>\n";
        assertArrayEquals(encoded(before), Arrays.copyOf(line.ids(), encoded(before).length));
        assertArrayEquals(encoded("Hello<|end|>"), learned(line));
        assertEquals(END, line.ids()[line.ids().length - 1], "the template ends a message by another token");
    }

    /** The end of texts is learned also where the template writes nothing that ends a text. */
    @Test
    void endIsPutBehindAnAnswerWithoutOne(@TempDir Path folder) throws IOException {
        Path fixture =
                Path.of(TextFormatTest.class.getResource("/fixtures/text").getPath());
        try (Stream<Path> files = Files.list(fixture)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
        Path config = folder.resolve("config.json");
        Files.writeString(config, Files.readString(config).replace("\"eos_token_id\": 2", "\"eos_token_id\": 3"));
        try (CausalLM other = CausalLM.load(machine, "file:" + folder)) {
            TokenizedText line = TextFormat.json(other).tokens("""
                    {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}""");
            int[] answer = encoded("Hello<|end|>\n");
            assertArrayEquals(
                    IntStream.concat(IntStream.of(answer), IntStream.of(3)).toArray(), learned(line));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"messages": [{"role": "user", "content": "Hi"}]} | the last message must be the assistant's
            {"messages": []}                                  | the last message must be the assistant's
            {"ids": [1, 320]}                                 | expected tokens from 0 to 319, got 320
            {"ids": ["a"]}                                    | expected tokens from 0 to 319, got "a"
            {"txt": "x"}                                      | expected a member ids, text, prompt and completion, or messages, got [txt]
            [1]                                               | the line is no JSON object
            {"text"                                           | the line is no JSON
            """)
    void mistakesInLinesAreNamed(String line, String message) {
        String text = assertThrows(OutpostException.class, () -> json(line)).getMessage();
        assertTrue(text.contains(message), text);
    }
}
