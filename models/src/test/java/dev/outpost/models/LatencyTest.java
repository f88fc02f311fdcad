package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A token costs no round trip that anybody waits for. */
class LatencyTest {
    private static final int LATENCY_MILLIS = 20;
    private static final int TOKENS = 48;

    @Test
    void tokensComeFasterThanRoundTrips() {
        JsonNode expected = Fixtures.expected("llama");
        MachineOptions options = new MachineOptions()
                .option("sources", "file:" + Fixtures.folder())
                .option("latency", String.valueOf(LATENCY_MILLIS));
        try (RemoteMachine machine = RemoteMachine.of("mock", "any", options);
                CausalLM model = CausalLM.load(machine, Fixtures.uri("llama"));
                Generation generation = model.generate(
                        Fixtures.ids(expected.get("prompt")),
                        Sampling.greedy().maxTokens(TOKENS).ignoreEnd())) {
            int[] tokens = generation.toEnd().getFirst();
            assertArrayEquals(Fixtures.ids(expected.get("greedy")), Arrays.copyOf(tokens, 12));
            long millis = generation.rates().decodeNanos() / 1_000_000;
            long ofRoundTrips = 2L * LATENCY_MILLIS * (TOKENS - 1);
            assertTrue(
                    millis < ofRoundTrips / 2,
                    "the tokens behind the first took " + millis + " ms, and as many round trips " + ofRoundTrips);
        }
    }
}
