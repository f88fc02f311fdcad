package dev.outpost.serving.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.serving.TestModels;
import dev.outpost.serving.config.ServingConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the memory of several models on one machine. */
class ModelMemoryTest {
    private static final String TEXT = TestModels.text();
    private static final String OTHER = TestModels.other();
    private static final long BUDGET = 4 << 20;
    /** The bytes for tables by position, and for the engine's rounding of sizes. */
    private static final long ROUNDING = 1 << 20;

    private static ModelLoader loader(Map<String, String> settings) {
        ServingConfig config = TestModels.config(settings);
        ServingMetrics metrics = new ServingMetrics(new SimpleMeterRegistry());
        metrics.bind(List.of("text", "again", "other"), name -> Optional.empty());
        return new ModelLoader(config, metrics);
    }

    private static RemoteMachine machine() {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", TEXT + "," + OTHER));
    }

    private static long liveBytes(RemoteMachine machine) {
        machine.synchronize();
        return machine.stats().liveBytes();
    }

    private static LoadedWeights.TextDecoder load(ModelLoader loader, RemoteMachine machine, String name, String uri) {
        return (LoadedWeights.TextDecoder) loader.loadWeights(machine, new ModelName(name, uri), List.of(), null);
    }

    @Test
    void modelsOfOneUriHoldTheirWeightsOnceAndOthersTheirOwn() {
        ModelLoader loader = loader(Map.of("text-tokens", "256"));
        try (RemoteMachine machine = machine()) {
            LoadedWeights.TextDecoder text = load(loader, machine, "text", TEXT);
            long one = liveBytes(machine);
            LoadedWeights.TextDecoder again = load(loader, machine, "again", TEXT);
            long two = liveBytes(machine);
            LoadedWeights.TextDecoder other = load(loader, machine, "other", OTHER);
            long three = liveBytes(machine);
            long pool = 2 * 16 * text.model().cacheBytesPerToken();
            assertTrue(one > 4 * pool, one + " bytes");
            assertTrue(two - one <= pool, (two - one) + " bytes for the second, whose blocks take " + pool);
            assertTrue(three - two > one / 4, (three - two) + " bytes of another model");
            for (LoadedWeights.TextDecoder each : List.of(text, again, other)) {
                each.model().close();
            }
        }
    }

    @Test
    void cachesOfAllModelsTogetherKeepToTheirMemory() {
        ModelLoader loader = loader(Map.of("text-tokens", "256", "cache-memory", "4M"));
        try (RemoteMachine machine = machine()) {
            List<LoadedWeights.TextDecoder> weights =
                    List.of(load(loader, machine, "text", TEXT), load(loader, machine, "other", OTHER));
            long before = liveBytes(machine);
            Map<LoadedWeights.TextDecoder, CacheBudget.Room> rooms = loader.rooms(machine, weights);
            double texts = (double) rooms.get(weights.getFirst()).cacheTokens() / 256;
            assertEquals(texts, (double) rooms.get(weights.getLast()).cacheTokens() / 256, 0.1, "texts of each model");
            List<GeneratingModel> serving = new ArrayList<>();
            weights.forEach(one -> serving.add(loader.start(one, rooms.get(one), why -> {})));
            long taken = liveBytes(machine) - before;
            assertTrue(taken > BUDGET * 9 / 10, taken + " bytes of " + BUDGET);
            assertTrue(taken <= BUDGET + ROUNDING, taken + " bytes of " + BUDGET);
            serving.forEach(GeneratingModel::close);
        }
    }

    /** Without a setting texts are as long as the model allows, and shorter on a machine with less memory. */
    @Test
    void textsAreAsLongAsModelAndMemoryAllow() {
        ModelLoader loader = loader(Map.of());
        try (RemoteMachine machine = machine()) {
            LoadedWeights.TextDecoder text = load(loader, machine, "text", TEXT);
            CacheBudget.Room room = loader.rooms(machine, List.of(text)).get(text);
            assertEquals(text.positions(), room.textTokens());
            assertEquals(8L * room.textTokens(), room.cacheTokens());
            text.model().close();
        }
        CacheBudget.Need large = new CacheBudget.Need("large", 131_072, 1000);
        CacheBudget.Need small = new CacheBudget.Need("small", 8192, 1000);
        assertEquals(
                List.of(new CacheBudget.Room(131_072, 8 * 131_072)),
                CacheBudget.derive(2_000_000_000, List.of(large), 8, 16));
        CacheBudget.Room half =
                CacheBudget.derive(500_000_000, List.of(large), 8, 16).getFirst();
        assertEquals(131_072, half.textTokens());
        assertEquals(499_984, half.cacheTokens(), 16);
        CacheBudget.Room little =
                CacheBudget.derive(10_000_000, List.of(large), 8, 16).getFirst();
        assertEquals(9984, little.cacheTokens(), 16);
        assertEquals(little.cacheTokens(), little.textTokens());
        List<CacheBudget.Room> both = CacheBudget.derive(100_000_000, List.of(large, small), 8, 16);
        assertTrue(both.getFirst().cacheTokens() + both.getLast().cacheTokens() <= 100_000 - 32, both::toString);
        assertEquals(16, (double) both.getFirst().cacheTokens() / both.getLast().cacheTokens(), 0.1);
        String refused = assertThrows(
                        IllegalArgumentException.class, () -> CacheBudget.derive(200_000, List.of(large), 8, 16))
                .getMessage();
        assertTrue(refused.contains("a text would have 176 tokens; take a machine with more memory"), refused);
    }

    @Test
    void tooLittleMemoryAndTwoMeasuresAreRefused() {
        ModelLoader loader = loader(Map.of("text-tokens", "256", "cache-memory", "1K"));
        try (RemoteMachine machine = machine()) {
            LoadedWeights.TextDecoder text = load(loader, machine, "text", TEXT);
            String refused = assertThrows(IllegalArgumentException.class, () -> loader.rooms(machine, List.of(text)))
                    .getMessage();
            assertTrue(refused.startsWith("cache-memory: a text of each model takes "), refused);
            text.model().close();
        }
        assertThrows(IllegalArgumentException.class, () -> loader(Map.of("cache-memory", "1M", "cache-tokens", "256")));
    }

    /** A limit for the texts of all models need not be reached by each model. */
    @Test
    void modelWithFewerPositionsThanTheLimitHasItsOwn() {
        ModelLoader loader = loader(Map.of("text-tokens", "2048"));
        try (RemoteMachine machine = machine()) {
            assertEquals(2048, load(loader, machine, "text", TEXT).positions());
            assertEquals(
                    TestModels.OTHER_POSITIONS,
                    load(loader, machine, "other", OTHER).positions());
        }
    }
}
