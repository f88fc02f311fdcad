package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.stats.MachineStats;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A token costs no round trip that a program waits for. */
class LatencyTest {
    private static final int LATENCY_MILLIS = 20;
    private static final int TOKENS = 48;
    /** Steps that are sent before the first of them is read. */
    private static final int AHEAD = 16;

    private static final JsonNode EXPECTED = Fixtures.expected("llama");
    private static final int[] PROMPT = Fixtures.ids(EXPECTED.get("prompt"));
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(TOKENS).ignoreEnd();

    private static RemoteMachine machine(int latencyMillis) {
        return RemoteMachine.of(
                "mock",
                "any",
                new MachineOptions()
                        .option("sources", "file:" + Fixtures.folder())
                        .option("latency", String.valueOf(latencyMillis)));
    }

    /** Between two steps that depend on a read lie {@value #AHEAD} tokens, and the program waits for nothing but tokens. */
    @Test
    void stepsAreSentBeforeTheTokensOfEarlierOnesAreRead() {
        try (RemoteMachine machine = machine(LATENCY_MILLIS);
                CausalLM model = CausalLM.load(machine, Fixtures.uri("llama"))) {
            model.generate(PROMPT, GREEDY).toEnd();
            MachineStats before = machine.stats();
            try (Generation generation = model.generate(PROMPT, GREEDY)) {
                for (int token = 1; token <= TOKENS; token++) {
                    generation.next();
                    long sent = machine.stats().segments() - before.segments();
                    long steps = Math.min(TOKENS, token + AHEAD - 1);
                    assertTrue(sent >= steps, "at token " + token + " there were " + sent + " of " + steps);
                }
            }
            assertEquals(0, machine.stats().waits() - before.waits(), "waits besides those for tokens");
        }
    }

    @Test
    void latencyAddsLessThanHalfARoundTripToAToken() {
        long near = decodeMillis(0);
        long far = decodeMillis(LATENCY_MILLIS);
        long ofRoundTrips = 2L * LATENCY_MILLIS * (TOKENS - 1);
        assertTrue(
                far - near < ofRoundTrips / 2,
                "tokens a second: " + rate(near) + " without latency and " + rate(far) + " with " + LATENCY_MILLIS
                        + " ms; round trips would take " + ofRoundTrips + " ms");
    }

    private static long rate(long millis) {
        return 1000L * (TOKENS - 1) / Math.max(1, millis);
    }

    /** The shorter of two. */
    private static long decodeMillis(int latencyMillis) {
        try (RemoteMachine machine = machine(latencyMillis);
                CausalLM model = CausalLM.load(machine, Fixtures.uri("llama"))) {
            return Math.min(decodeMillis(model), decodeMillis(model));
        }
    }

    private static long decodeMillis(CausalLM model) {
        try (Generation generation = model.generate(PROMPT, GREEDY)) {
            int[] tokens = generation.toEnd().getFirst();
            assertArrayEquals(Fixtures.ids(EXPECTED.get("greedy")), Arrays.copyOf(tokens, 12));
            return generation.rates().decodeNanos() / 1_000_000;
        }
    }
}
