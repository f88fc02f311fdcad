package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.source.Source;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokenizers without tokenizer.json give the tokens of SentencePiece and transformers; see make_torch_fixtures.py. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenizerFilesTest {
    @TempDir
    private static Path folder;

    private RemoteMachine machine;
    private RemoteMachine other;

    @BeforeAll
    void start() {
        machine = Fixtures.machine();
        other = RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + folder));
    }

    @AfterAll
    void stop() {
        machine.close();
        other.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"llama", "gemma", "t5", "xlm", "bert", "bert_cased", "gpt2", "qwen2", "roberta"})
    void textsBecomeTheSameTokens(String name) {
        Source source = machine.open(Fixtures.uri("tokenizer_" + name));
        try (Tokenizer tokenizer = Tokenizer.of(source)) {
            for (JsonNode each : Fixtures.expected("tokenizer_" + name)) {
                String text = each.get("text").asText();
                int[] ids = tokenizer.encode(text);
                assertArrayEquals(
                        Fixtures.ids(each.get("ids")), ids, () -> text + ": " + Arrays.toString(ids) + each.get("ids"));
                String decoded = each.get("decoded").asText();
                // SentencePiece writes a mark for unknown characters.
                if (!decoded.contains("\u2047")) {
                    assertEquals(decoded, tokenizer.decode(ids));
                }
            }
        }
    }

    private Source written(String... filesAndTexts) throws IOException {
        try (var old = Files.list(folder)) {
            for (Path file : old.toList()) {
                Files.delete(file);
            }
        }
        for (int at = 0; at < filesAndTexts.length; at += 2) {
            Files.writeString(folder.resolve(filesAndTexts[at]), filesAndTexts[at + 1]);
        }
        return other.open("file:" + folder);
    }

    private static void refused(String why, Source source) {
        String message = assertThrows(OutpostException.class, () -> TokenizerFiles.json(source))
                .getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void whatCannotBeReadIsRefusedByName() throws IOException {
        Source none = written("config.json", "{}");
        assertFalse(TokenizerFiles.areIn(none));
        refused(
                "the model has no tokenizer (tokenizer.json, vocab.json with merges.txt, vocab.txt or tokenizer.model)",
                none);
        refused(
                "the tokenizer FunnyTokenizer is not known without it",
                written("vocab.txt", "a\n", "tokenizer_config.json", "{\"tokenizer_class\":\"FunnyTokenizerFast\"}"));
        refused(
                "the tokenizer of model type \"funny\" is not known",
                written("vocab.txt", "a\n", "config.json", "{\"model_type\":\"funny\"}"));
        refused(
                "its tokenizer is of the kind llama, which needs tokenizer.model",
                written("vocab.txt", "a\n", "tokenizer_config.json", "{\"tokenizer_class\":\"LlamaTokenizer\"}"));
        refused(
                "tokenizer.model is no model of SentencePiece",
                written("tokenizer.model", "\u0001\u0002", "config.json", "{\"model_type\":\"llama\"}"));
        refused(
                "the special token [CLS] is not in the vocabulary",
                written("vocab.txt", "[UNK]\n[SEP]\n", "config.json", "{\"model_type\":\"bert\"}"));
        refused(
                "the added token <new> has the id 9, which does not follow the vocabulary",
                written(
                        "vocab.txt",
                        "[UNK]\n[CLS]\n[SEP]\na\n",
                        "config.json",
                        "{\"model_type\":\"bert\"}",
                        "added_tokens.json",
                        "{\"<new>\":9}"));
    }

    @Test
    void addedTokensAreWhole() throws IOException {
        Source source = written(
                "vocab.txt",
                "[UNK]\r\n[CLS]\r\n[SEP]\r\na\r\nb\r\n",
                "config.json",
                "{\"model_type\":\"bert\"}",
                "added_tokens.json",
                "{\"<new>\":5}",
                "tokenizer_config.json",
                "{\"added_tokens_decoder\":{\"6\":{\"content\":\"<end>\",\"special\":true}}}");
        try (Tokenizer tokenizer = Tokenizer.of(source)) {
            assertArrayEquals(new int[] {1, 3, 5, 6, 4, 2}, tokenizer.encode("a <new><end> b"));
            assertEquals("a <new> b", tokenizer.decode(new int[] {1, 3, 5, 6, 4, 2}));
        }
    }
}
