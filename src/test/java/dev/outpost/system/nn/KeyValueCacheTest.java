package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.EmitMode;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scan;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.nn.Functional;
import dev.outpost.nn.KeyValueCache;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Decoding token by token, in every way, has the results of one causal pass over all tokens. */
class KeyValueCacheTest {
    private static final int TOKENS = 7;
    private static final int CAPACITY = 9;

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private final Tensor queries = drawn(1, 4, 5);
    private final Tensor keys = drawn(2, 2, 5);
    private final Tensor values = drawn(3, 2, 3);
    private final KeyValueCache cache = new KeyValueCache(machine, DType.FLOAT64, Shape.of(2, 2, CAPACITY, 5), 3);

    private static Tensor drawn(long seed, long heads, long features) {
        machine.manualSeed(seed);
        return machine.randn(DType.FLOAT64, 2, heads, TOKENS, features);
    }

    private double[] fullPass() {
        return Functional.scaledDotProductAttention(queries, keys, values, true)
                .output()
                .toDoubleArray();
    }

    private Tensor step(long from, long count) {
        cache.append(keys.narrow(2, from, count), values.narrow(2, from, count));
        return cache.attend(queries.narrow(2, from, count));
    }

    @Test
    void tokenByTokenBehindAPrompt() {
        List<Tensor> answers = new ArrayList<>(List.of(step(0, 3)));
        for (int token = 3; token < TOKENS; token++) {
            assertEquals(token, cache.length());
            answers.add(step(token, 1));
        }
        Closeness.assertClose(fullPass(), Tensors.cat(answers, 2));
        assertEquals(TOKENS, cache.length());
        assertEquals(CAPACITY, cache.capacity());
    }

    /** A token's query, key and value depend only on its number. */
    private Tensor step(Tensor token) {
        Tensor at = token.reshape(1);
        cache.append(keys.indexSelect(2, at), values.indexSelect(2, at));
        return cache.attend(queries.indexSelect(2, at));
    }

    @Test
    void asAProgramThatIsTracedOnce() {
        Program program = machine.program(inputs -> List.of(step(inputs.get(0))));
        List<Tensor> answers = new ArrayList<>();
        for (int token = 0; token < TOKENS; token++) {
            answers.add(program.call(machine.tensor(new long[] {token}, 1)).getFirst());
            assertEquals(token + 1, cache.length());
        }
        Closeness.assertClose(fullPass(), Tensors.cat(answers, 2));
        assertEquals(1, program.traces());
    }

    @Test
    void asOneScan() {
        Program program = machine.program(inputs -> List.of(inputs.get(0), step(inputs.get(1))));
        Tensor nothing = machine.zeros(1);
        Scan scan = machine.scan(program, List.of(nothing), TOKENS, EmitMode.STACK);
        Tensor rows = scan.stacked().getFirst();
        Closeness.assertClose(fullPass(), rows.squeeze(3).permute(1, 2, 0, 3));
        assertEquals(TOKENS, cache.length());
    }

    @Test
    void clearedEntriesAreIgnored() {
        step(2, 5);
        cache.clear();
        assertEquals(0, cache.length());
        tokenByTokenBehindAPrompt();
    }

    @Test
    void appendBeyondTheCapacityIsRefusedAndKeepsTheCache() {
        step(0, TOKENS);
        refuses("it is full, got 3 more for 7 of 9; make a larger one", () -> step(0, 3));
        assertEquals(TOKENS, cache.length());
        Closeness.assertClose(fullPass(), cache.attend(queries));
    }

    /** Nothing can refuse it before. Keys and values are lost to one failure, which is reported once. */
    @Test
    void appendBeyondTheCapacityInAProgramIsFound() {
        RemoteMachine own = RemoteMachine.of("mock", "A100");
        KeyValueCache small = new KeyValueCache(own, 1, 1, 2, 3);
        Program program = own.program(inputs -> {
            small.append(inputs.get(0), inputs.get(0));
            return List.of(small.attend(inputs.get(0)));
        });
        Tensor token = own.ones(1, 1, 1, 3);
        program.call(token);
        program.call(token);
        Tensor answer = program.call(token).getFirst();
        OutpostException fault = assertThrows(OutpostException.class, answer::toDoubleArray);
        assertTrue(fault.getMessage().startsWith("index_copy: index 2 is out of bounds"), fault.getMessage());
        own.close();
    }

    @Test
    void mismatchedShapesAreRefused() {
        refuses("queries must be of positions that were appended, got [2, 4, 7, 5] and 0", () -> cache.attend(queries));
        refuses(
                "values must be like float64[2,2,9,3] but for how many, got float64[2,2,7,5]",
                () -> cache.append(keys, keys));
        refuses(
                "there must be a value for each key, got [2, 2, 7, 5] and [2, 2, 1, 3]",
                () -> cache.append(keys, values.narrow(2, 0, 1)));
        refuses(
                "batch, groups, capacity and features are needed, got [3, 4]",
                () -> new KeyValueCache(machine, DType.FLOAT32, Shape.of(3, 4), 4));
    }

    private static void refuses(String message, Runnable call) {
        OpException refusal = assertThrows(OpException.class, call::run);
        assertEquals("key_value_cache: " + message, refusal.getMessage());
    }
}
