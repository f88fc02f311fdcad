package dev.outpost.serving.engine;

import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.CrossEncoder;
import dev.outpost.models.Embedder;
import dev.outpost.models.ModelConfig;
import dev.outpost.models.ModelInfo;
import dev.outpost.models.ModelRunner;
import dev.outpost.models.Quantization;
import dev.outpost.models.RowAdapters;
import dev.outpost.models.batch.BatchEngine;
import dev.outpost.models.batch.BatchSettings;
import dev.outpost.models.lora.AdapterSet;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** Loads models on machines, as the configuration says, and warms them up. Thread-safe. */
public final class ModelLoader {
    private static final Logger LOG = Logger.getLogger(ModelLoader.class);
    private static final int MOST_TEXT_TOKENS = 4096;
    private static final int WHOLE_TEXTS = 8;

    private final ServingConfig config;
    private final ServingMetrics metrics;

    public ModelLoader(ServingConfig config, ServingMetrics metrics) {
        this.config = config;
        this.metrics = metrics;
        if (config.cacheMemory().isPresent() && config.cacheTokens().isPresent()) {
            throw new IllegalArgumentException("cache-memory: cache-tokens is said, too; one of them is enough");
        }
    }

    /** How many requests wait for a model at most. */
    public int waiting() {
        return config.waiting();
    }

    /**
     * A model that is loaded and warm. Waits.
     *
     * @param name what requests call it
     * @param dtype what weights are cast to, such as {@code bfloat16}; as they are stored where it is empty
     * @param onFailure called with the reason when the machine fails later on
     */
    public ServedModel load(
            RemoteMachine machine, String name, String uri, Optional<String> dtype, Consumer<String> onFailure) {
        return switch (loadWeights(machine, new ModelName(name, uri), List.of(), dtype)) {
            case LoadedWeights.Encoder encoder -> encoder.model();
            case LoadedWeights.TextDecoder decoder ->
                start(decoder, cacheTokens(List.of(decoder)).get(decoder), onFailure);
        };
    }

    /**
     * Puts the weights of a model on a machine. Waits.
     *
     * @param adapters where they are; their numbers follow this order, from 1 on
     */
    LoadedWeights loadWeights(RemoteMachine machine, ModelName named, List<String> adapters, Optional<String> dtype) {
        Source source = machine.open(named.uri());
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
            String name, Source source, List<Source> adapters, Optional<String> dtype) {
        // The pool of texts outside of the batch is not used.
        CausalLM model = CausalLM.load(
                source,
                type(dtype),
                ModelRunner.pageTokens(),
                config.quantize().map(Quantization::of).orElse(null));
        int textTokens =
                Math.min(ModelInfo.of(source).positions(), config.textTokens().orElse(MOST_TEXT_TOKENS));
        RowAdapters set = adapters.isEmpty() ? null : AdapterSet.load(model, adapters);
        return new LoadedWeights.TextDecoder(name, model, textTokens, set);
    }

    /**
     * The tokens that the cache of each decoder has room for, as the configuration says of all caches or of each.
     *
     * @param decoders of one machine
     */
    Map<LoadedWeights.TextDecoder, Long> cacheTokens(List<LoadedWeights.TextDecoder> decoders) {
        Map<LoadedWeights.TextDecoder, Long> tokens = new LinkedHashMap<>();
        if (config.cacheMemory().isPresent() && !decoders.isEmpty()) {
            List<Long> divided = CacheBudget.divide(
                    config.cacheMemory().get().asLongValue(),
                    decoders.stream().map(LoadedWeights.TextDecoder::need).toList(),
                    ModelRunner.pageTokens());
            decoders.forEach(decoder -> tokens.put(decoder, divided.get(tokens.size())));
        } else {
            decoders.forEach(decoder ->
                    tokens.put(decoder, config.cacheTokens().orElse((long) WHOLE_TEXTS * decoder.textTokens())));
        }
        return tokens;
    }

    /**
     * Takes memory for the texts of a decoder, warms it up, and starts its engine. Waits.
     *
     * @param onFailure called with the reason when the machine fails later on
     */
    GeneratingModel start(LoadedWeights.TextDecoder decoder, long cacheTokens, Consumer<String> onFailure) {
        CausalLM model = decoder.model();
        ModelRunner runner =
                new ModelRunner(model, cacheTokens, config.texts(), decoder.textTokens(), decoder.adapters());
        BatchSettings settings = new BatchSettings(config.stepTokens(), config.waiting(), config.ahead());
        model.tokenizer();
        BatchEngine.warmUp(runner, settings);
        GeneratingModel made =
                new GeneratingModel(decoder.name(), model, runner, settings, metrics.listener(decoder.name()));
        Thread.ofVirtual().start(() -> watch(made.engine(), onFailure));
        LOG.infof(
                "%s is loaded and warm; its texts have up to %d tokens, and %d together",
                decoder.name(), decoder.textTokens(), cacheTokens);
        return made;
    }

    private static void watch(BatchEngine engine, Consumer<String> onFailure) {
        try {
            engine.awaitEnd();
            if (engine.failure() != null) {
                LOG.error("the machine has failed: " + engine.failure().getMessage());
                onFailure.accept(engine.failure().getMessage());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static DType type(Optional<String> dtype) {
        return dtype.map(name -> DType.valueOf(name.toUpperCase(Locale.ROOT))).orElse(null);
    }
}
