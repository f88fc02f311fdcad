package dev.outpost.serving.engine;

import dev.outpost.RemoteMachine;
import dev.outpost.inference.BatchEngine;
import dev.outpost.inference.BatchSettings;
import dev.outpost.inference.ModelRunner;
import dev.outpost.models.CausalLM;
import dev.outpost.models.CrossEncoder;
import dev.outpost.models.Embedder;
import dev.outpost.models.ModelInfo;
import dev.outpost.models.RowAdapters;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.Quantization;
import dev.outpost.models.lora.AdapterSet;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Loads models on machines according to the configuration, and warms them up. Thread-safe. */
public final class ModelLoader {
    private static final Logger LOG = Logger.getLogger(ModelLoader.class);
    private static final int WHOLE_TEXTS = 8;
    /** The default fraction of the memory, after the weights, that the caches take. The rest is for the intermediate values of a step. */
    private static final double CACHE_PART = 0.8;

    private final ServingConfig config;
    private final ServingMetrics metrics;

    public ModelLoader(ServingConfig config, ServingMetrics metrics) {
        this.config = config;
        this.metrics = metrics;
        if (config.cacheMemory().isPresent() && config.cacheTokens().isPresent()) {
            throw new IllegalArgumentException("cache-memory: cache-tokens is set, too; set only one of them");
        }
    }

    /** Returns the maximum number of requests that wait for a model. */
    public int waiting() {
        return config.waiting();
    }

    /**
     * Loads and warms up a model. Returns when the model is ready.
     *
     * @param name its name in requests
     * @param dtype the type to which weights are cast, such as {@code bfloat16}; null to keep the stored type
     * @param onFailure called with the reason when the machine fails later on
     */
    public ServedModel load(
            RemoteMachine machine, String name, String uri, @Nullable String dtype, Consumer<String> onFailure) {
        return switch (loadWeights(machine, new ModelName(name, uri), List.of(), dtype)) {
            case LoadedWeights.Encoder encoder -> encoder.model();
            case LoadedWeights.TextDecoder decoder ->
                start(decoder, rooms(machine, List.of(decoder)).get(decoder), onFailure);
        };
    }

    /**
     * Loads the weights of a model on a machine. Returns when they are loaded.
     *
     * @param adapters the locations of the adapters; their numbers follow this order, from 1 on
     */
    LoadedWeights loadWeights(RemoteMachine machine, ModelName named, List<String> adapters, @Nullable String dtype) {
        Source source = machine.open(named.uri());
        source.skippedFiles().forEach((file, why) -> LOG.infof("%s: %s is left out: %s", named.name(), file, why));
        List<Source> opened = adapters.stream().map(machine::open).toList();
        boolean isReranker = CrossEncoder.isIn(source);
        if (!isReranker && !isEncoder(source)) {
            return decoder(named.name(), source, opened, dtype);
        }
        if (!adapters.isEmpty()) {
            throw new IllegalArgumentException(
                    "adapter: the model " + named.name() + " generates no texts, so it takes none");
        }
        return new LoadedWeights.Encoder(
                isReranker
                        ? new RerankModel(named.name(), CrossEncoder.load(source))
                        : new EmbeddingModel(named.name(), Embedder.load(source)));
    }

    private static boolean isEncoder(Source source) {
        String type =
                ModelConfig.parse(source.uri(), source.text("config.json")).modelType();
        return !ModelInfo.of(source).isKnown() && Embedder.knows(type);
    }

    private LoadedWeights.TextDecoder decoder(
            String name, Source source, List<Source> adapters, @Nullable String dtype) {
        // The memory for texts outside of the batch is not used.
        CausalLM model = CausalLM.load(
                source,
                type(dtype),
                ModelRunner.blockSize(),
                config.quantize().map(Quantization::of).orElse(null));
        int positions =
                Math.min(ModelInfo.of(source).positions(), config.textTokens().orElse(Integer.MAX_VALUE));
        RowAdapters set = adapters.isEmpty() ? null : AdapterSet.load(model, adapters);
        return new LoadedWeights.TextDecoder(name, model, positions, set);
    }

    /**
     * Returns the longest texts and the size of the cache of each decoder, from the configuration or, by default, from the machine's
     * memory. Waits until the weights are loaded.
     *
     * @param decoders all decoders of one machine
     */
    Map<LoadedWeights.TextDecoder, CacheBudget.Room> rooms(
            RemoteMachine machine, List<LoadedWeights.TextDecoder> decoders) {
        List<CacheBudget.Need> needs =
                decoders.stream().map(LoadedWeights.TextDecoder::need).toList();
        Map<LoadedWeights.TextDecoder, CacheBudget.Room> rooms = new LinkedHashMap<>();
        if (decoders.isEmpty()) {
            return rooms;
        }
        List<CacheBudget.Room> derived;
        if (config.cacheMemory().isPresent()) {
            derived = CacheBudget.divide(config.cacheMemory().get().asLongValue(), needs, ModelRunner.blockSize());
        } else if (config.textTokens().isPresent() || config.cacheTokens().isPresent()) {
            derived = needs.stream()
                    .map(need -> {
                        long cache = config.cacheTokens().orElse((long) WHOLE_TEXTS * need.positions());
                        return new CacheBudget.Room((int) Math.min(need.positions(), cache), cache);
                    })
                    .toList();
        } else {
            machine.synchronize();
            long free = Math.max(0, machine.quotaBytes() - machine.stats().liveBytes());
            derived = CacheBudget.derive((long) (CACHE_PART * free), needs, WHOLE_TEXTS, ModelRunner.blockSize());
            LOG.infof("%,d bytes of the machine's memory are free beside the weights", free);
        }
        decoders.forEach(decoder -> rooms.put(decoder, derived.get(rooms.size())));
        return rooms;
    }

    /**
     * Allocates memory for the texts of a decoder, warms it up, starts its engine, and waits for it.
     *
     * @param onFailure called with the reason when the machine fails later on
     */
    GeneratingModel start(LoadedWeights.TextDecoder decoder, CacheBudget.Room room, Consumer<String> onFailure) {
        CausalLM model = decoder.model();
        ModelRunner runner =
                new ModelRunner(model, room.cacheTokens(), config.texts(), room.textTokens(), decoder.adapters());
        BatchSettings settings = new BatchSettings(config.stepTokens(), config.waiting(), config.ahead());
        model.tokenizer();
        BatchEngine.warmUp(runner, settings);
        GeneratingModel made =
                new GeneratingModel(decoder.name(), model, runner, settings, metrics.listener(decoder.name()));
        Thread.ofVirtual().start(() -> watch(made.engine(), onFailure));
        LOG.infof(
                "%s is loaded and warm; its texts have up to %d tokens (text-tokens%s; up to %d were possible), and %d"
                        + " together",
                decoder.name(),
                room.textTokens(),
                config.textTokens().isPresent() ? "" : " is not set, so it was derived",
                decoder.positions(),
                room.cacheTokens());
        return made;
    }

    private static void watch(BatchEngine engine, Consumer<String> onFailure) {
        try {
            engine.awaitEnd();
            if (engine.failure() != null) {
                LOG.error("the machine has failed: " + engine.failure().getMessage());
                onFailure.accept(engine.failure().getMessage());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable DType type(@Nullable String dtype) {
        return dtype == null ? null : DType.valueOf(dtype.toUpperCase(Locale.ROOT));
    }
}
