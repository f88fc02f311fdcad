package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.types.OutpostException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The likeliest texts. */
class BeamSearchTest {
    private static final JsonNode CASES = Fixtures.json("beams.json");

    static IntStream cases() {
        return IntStream.range(0, CASES.size());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void findsWhatTransformersFinds(int which) {
        JsonNode wanted = CASES.get(which);
        BeamSettings settings = new BeamSettings(
                wanted.get("num_beams").asInt(),
                wanted.get("max_new_tokens").asInt(),
                wanted.get("length_penalty").asDouble(),
                wanted.get("early_stopping").asBoolean());
        Set<Integer> ends =
                Arrays.stream(Fixtures.ids(wanted.get("eos_token_id"))).boxed().collect(Collectors.toSet());
        try (RemoteMachine machine = Fixtures.machine();
                CausalLM model =
                        CausalLM.load(machine, Fixtures.uri(wanted.get("model").asText()))) {
            long free = model.freeTokens();
            List<Beam> found = model.beamSearch(Fixtures.ids(wanted.get("prompt")), settings, ends);
            assertEquals(wanted.get("found").size(), found.size());
            for (int beam = 0; beam < found.size(); beam++) {
                JsonNode theirs = wanted.get("found").get(beam);
                int[] tokens = found.get(beam).tokens();
                assertArrayEquals(Fixtures.ids(theirs.get("tokens")), tokens, () -> Arrays.toString(tokens));
                double score = theirs.get("score").asDouble();
                assertEquals(score, found.get(beam).score(), 1e-4 * Math.max(1, Math.abs(score)));
            }
            assertEquals(free, model.freeTokens());
        }
    }

    @Test
    void aBeamIsTheGreedyText() {
        JsonNode expected = Fixtures.expected("llama");
        try (RemoteMachine machine = Fixtures.machine();
                CausalLM model = CausalLM.load(machine, Fixtures.uri("llama"))) {
            List<Beam> found = model.beamSearch(Fixtures.ids(expected.get("prompt")), BeamSettings.of(1, 12), Set.of());
            assertArrayEquals(
                    Fixtures.ids(expected.get("greedy")), found.getFirst().tokens());
        }
    }

    /** A fork copies the block that is not full, so four beams have the blocks of the prompt once, and never a second pool. */
    @Test
    void beamsShareTheBlocksOfThePrompt() {
        int[] prompt = new int[33];
        Arrays.setAll(prompt, place -> 3 + place);
        // Keys of a layer take a MiB, as values do, of two layers.
        long pool = 4L << 20;
        MachineOptions options = new MachineOptions()
                .option("sources", "file:" + Fixtures.folder())
                .option("quota", String.valueOf(pool + (3L << 18)));
        try (RemoteMachine machine = RemoteMachine.of("mock", "any", options);
                CausalLM model =
                        CausalLM.load(machine.open(Fixtures.uri("llama")), null, (1 << 15) - PagedKvCache.BLOCK_SIZE)) {
            assertEquals(
                    4,
                    model.beamSearch(prompt, BeamSettings.of(4, 20), Set.of()).size());
        }
        try (RemoteMachine machine = Fixtures.machine();
                CausalLM tight = CausalLM.load(
                        machine.open(Fixtures.uri("llama")), null, (2 + 4 * 2) * PagedKvCache.BLOCK_SIZE)) {
            assertEquals(
                    4,
                    tight.beamSearch(prompt, BeamSettings.of(4, 20), Set.of()).size());
            String message = assertThrows(
                            OutpostException.class, () -> tight.beamSearch(prompt, BeamSettings.of(5, 20), Set.of()))
                    .getMessage();
            assertTrue(message.startsWith("generate: 12 blocks of 16 tokens are needed"), message);
        }
    }
}
