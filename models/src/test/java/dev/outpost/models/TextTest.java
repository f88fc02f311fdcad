package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.RemoteMachine;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Text in and out of a model that has a tokenizer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TextTest {
    private static final JsonNode EXPECTED = Fixtures.expected("text");

    private RemoteMachine machine;
    private CausalLM model;

    @BeforeAll
    void load() {
        machine = Fixtures.machine();
        model = CausalLM.load(machine, Fixtures.uri("text"));
    }

    @AfterAll
    void close() {
        model.close();
        machine.close();
    }

    @Test
    void textBecomesTheTokensOfTransformers() {
        for (JsonNode text : EXPECTED.get("texts")) {
            int[] ids = model.tokenizer().encode(text.get("text").asText());
            assertArrayEquals(Fixtures.ids(text.get("ids")), ids);
            assertEquals(text.get("text").asText(), model.tokenizer().decode(ids));
        }
    }

    @Test
    void aPromptIsContinuedAsByTransformers() {
        JsonNode wanted = EXPECTED.get("completion");
        Sampling greedy = Sampling.greedy().maxTokens(12);
        try (TextStream stream = model.generate(wanted.get("prompt").asText(), greedy)) {
            assertEquals(wanted.get("text").asText(), stream.toEnd());
            assertArrayEquals(
                    Fixtures.ids(wanted.get("ids")),
                    stream.ids().stream().mapToInt(Integer::intValue).toArray());
        }
    }

    /** At a high temperature nearly every byte occurs, so many characters are incomplete or arrive in several tokens. */
    @Test
    void piecesAreWholeCharactersAndMakeTheWholeText() {
        Sampling wild = Sampling.temperature(5).seed(7).maxTokens(48).ignoreEnd();
        List<String> pieces = new ArrayList<>();
        try (TextStream stream = model.generate("x", wild)) {
            stream.forEachRemaining(pieces::add);
            int[] ids = stream.ids().stream().mapToInt(Integer::intValue).toArray();
            assertEquals(model.tokenizer().decode(ids), String.join("", pieces));
        }
        assertTrue(pieces.stream().noneMatch(String::isEmpty));
        assertTrue(pieces.stream().noneMatch(piece -> Character.isHighSurrogate(piece.charAt(piece.length() - 1))));
    }

    @Test
    void aStopTextEndsTheTextWhereverTokensEnd() {
        Sampling wild = Sampling.temperature(1).seed(3).maxTokens(24).ignoreEnd();
        String whole;
        try (TextStream stream = model.generate("The", wild)) {
            whole = stream.toEnd();
        }
        String stop = whole.substring(5, 9);
        try (TextStream stream = model.generate("The", wild, "not in there", stop)) {
            assertEquals(whole.substring(0, whole.indexOf(stop)), stream.toEnd());
            assertFalse(stream.hasNext());
        }
    }

    @Test
    void equalSeedsDrawEqualTokensAndOthersOthers() {
        int[] prompt = {1, 30, 31};
        Sampling drawn = Sampling.temperature(1)
                .topK(40)
                .topP(0.95)
                .minP(0.01)
                .maxTokens(20)
                .ignoreEnd();
        int[] first = model.generate(prompt, drawn.seed(5)).toEnd().getFirst();
        assertArrayEquals(first, model.generate(prompt, drawn.seed(5)).toEnd().getFirst());
        assertFalse(Arrays.equals(
                first, model.generate(prompt, drawn.seed(6)).toEnd().getFirst()));
        assertEquals(20, first.length);
    }

    @Test
    void penaltiesAndABiasChangeWhatIsChosen() {
        int[] prompt = Fixtures.ids(EXPECTED.get("texts").get(0).get("ids"));
        Sampling greedy = Sampling.greedy().maxTokens(30).ignoreEnd();
        int[] once =
                model.generate(prompt, greedy.repetitionPenalty(1e6)).toEnd().getFirst();
        assertEquals(30, Arrays.stream(once).distinct().count(), () -> Arrays.toString(once));
        int[] seldom =
                model.generate(prompt, greedy.frequencyPenalty(1e6)).toEnd().getFirst();
        assertEquals(30, Arrays.stream(seldom).distinct().count());
        int[] biased = model.generate(prompt, greedy.logitBias(77, 1e6)).toEnd().getFirst();
        assertTrue(Arrays.stream(biased).allMatch(id -> id == 77));
    }

    @Test
    void aTokenOfTheModelEndsTheText() {
        int[] prompt = {1, 30, 31};
        Sampling ending = Sampling.greedy().maxTokens(10).logitBias(2, 1e6);
        assertEquals(0, model.generate(prompt, ending).toEnd().getFirst().length);
        assertEquals(10, model.generate(prompt, ending.ignoreEnd()).toEnd().getFirst().length);
    }

    @Test
    void aConversationIsWrittenAsTransformersWritesIt() {
        JsonNode chat = EXPECTED.get("chat");
        List<ChatMessage> messages = chat.get("messages")
                .valueStream()
                .map(message -> new ChatMessage(
                        message.get("role").asText(), message.get("content").asText()))
                .toList();
        assertTrue(model.hasChatTemplate());
        String text = model.chatTemplate().render(messages);
        assertEquals(chat.get("text").asText(), text);
        Sampling greedy = Sampling.greedy().maxTokens(4).ignoreEnd();
        List<Integer> ids;
        try (TextStream stream = model.chat(messages, greedy)) {
            stream.toEnd();
            ids = stream.ids();
        }
        int[] prompt = model.tokenizer().encode(text, false);
        int[] same = model.generate(prompt, greedy).toEnd().getFirst();
        assertEquals(Arrays.stream(same).boxed().toList(), ids);
    }

    @Test
    void anErrorOfAChatTemplateNamesTheModel() {
        String message = assertThrows(
                        OutpostException.class,
                        () -> ChatTemplate.parse("file:/m", "{{ raise_exception('roles must alternate') }}", Map.of())
                                .render(List.of(ChatMessage.user("x"))))
                .getMessage();
        assertEquals("file:/m: the chat template refuses: template: roles must alternate", message);
    }

    /** As in transformers, where templates test whether they are none. */
    @Test
    void aChatTemplateIsGivenNoToolsAndNoDocuments() {
        ChatTemplate template = ChatTemplate.parse(
                "file:/m", "{{ tools is none }} {{ documents is none }} {{ nosuch is defined }}", Map.of());
        assertEquals("True True False", template.render(List.of(ChatMessage.user("x"))));
        assertEquals("False True False", template.render(List.of(), Map.of("tools", List.of(Map.of("name", "f")))));
    }

    @Test
    void aCallWithWrongTokensIsRefused() {
        assertRefused("generate: a prompt has no tokens", new int[0], 1);
        assertRefused("generate: expected tokens from 0 to 319, got 320", new int[] {320}, 1);
        assertRefused("generate: the model has 64 positions, and prompt and new tokens need 65", new int[] {1}, 64);
    }

    private void assertRefused(String message, int[] prompt, int tokens) {
        assertEquals(
                message,
                assertThrows(
                                OutpostException.class,
                                () -> model.generate(prompt, Sampling.greedy().maxTokens(tokens)))
                        .getMessage());
    }
}
