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
import java.util.List;
import java.util.Locale;
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
        return load(machine, new ModelName(name, uri), List.of(), dtype, onFailure);
    }

    /**
     * As {@link #load(RemoteMachine, String, String, Optional, Consumer)}, with adapters.
     *
     * @param adapters where they are; their numbers follow this order, from 1 on
     */
    ServedModel load(
            RemoteMachine machine,
            ModelName named,
            List<String> adapters,
            Optional<String> dtype,
            Consumer<String> onFailure) {
        String name = named.name();
        long begun = System.nanoTime();
        Source source = machine.open(named.uri());
        List<Source> opened = adapters.stream().map(machine::open).toList();
        ServedModel made = made(name, source, opened, dtype, onFailure);
        LOG.infof("%s is loaded and warm after %.1f s", name, (System.nanoTime() - begun) / 1e9);
        return made;
    }

    private ServedModel made(
            String name, Source source, List<Source> adapters, Optional<String> dtype, Consumer<String> onFailure) {
        boolean isGenerating = !CrossEncoder.isIn(source) && !isEncoder(source);
        if (!isGenerating && !adapters.isEmpty()) {
            throw new IllegalArgumentException("adapter: the model " + name + " generates no texts, so it takes none");
        }
        if (CrossEncoder.isIn(source)) {
            return new RerankModel(name, CrossEncoder.load(source));
        }
        return isEncoder(source)
                ? new EmbeddingModel(name, Embedder.load(source))
                : generating(name, source, adapters, dtype, onFailure);
    }

    private static boolean isEncoder(Source source) {
        String type =
                ModelConfig.parse(source.uri(), source.text("config.json")).modelType();
        return !ModelInfo.of(source).isKnown() && Embedder.knows(type);
    }

    private GeneratingModel generating(
            String name, Source source, List<Source> adapters, Optional<String> dtype, Consumer<String> onFailure) {
        // The pool of texts outside of the batch is not used.
        CausalLM model = CausalLM.load(
                source,
                type(dtype),
                ModelRunner.pageTokens(),
                config.quantize().map(Quantization::of).orElse(null));
        ModelInfo info = ModelInfo.of(source);
        int textTokens = config.textTokens().orElse(Math.min(info.positions(), MOST_TEXT_TOKENS));
        long cacheTokens = config.cacheTokens().orElse((long) WHOLE_TEXTS * textTokens);
        RowAdapters set = adapters.isEmpty() ? null : AdapterSet.load(model, adapters);
        ModelRunner runner = new ModelRunner(model, cacheTokens, config.texts(), textTokens, set);
        BatchSettings settings = new BatchSettings(config.stepTokens(), config.waiting(), config.ahead());
        model.tokenizer();
        BatchEngine.warmUp(runner, settings);
        GeneratingModel made = new GeneratingModel(name, model, runner, settings, metrics.listener(name));
        Thread.ofVirtual().start(() -> watch(made.engine(), onFailure));
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
