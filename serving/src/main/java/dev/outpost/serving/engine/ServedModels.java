package dev.outpost.serving.engine;

import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.CrossEncoder;
import dev.outpost.models.Embedder;
import dev.outpost.models.ModelConfig;
import dev.outpost.models.ModelInfo;
import dev.outpost.models.ModelRunner;
import dev.outpost.models.Quantization;
import dev.outpost.models.batch.BatchEngine;
import dev.outpost.models.batch.BatchSettings;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import io.quarkus.runtime.Quarkus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * The models of a server, on one machine. A thread loads them, and loads them again on another machine where that one fails;
 * requests are refused meanwhile, and say so. What cannot be loaded the first time ends the server. Thread-safe.
 */
@Singleton
public final class ServedModels implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ServedModels.class);
    private static final int MOST_TEXT_TOKENS = 4096;
    private static final int WHOLE_TEXTS = 8;
    private static final long LEAST_PAUSE_MILLIS = 500;
    private static final long MOST_PAUSE_MILLIS = 30_000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ServingConfig config;
    private final ServingMetrics metrics;
    private final List<ModelName> names;
    private final Instant created = Instant.now();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Map<String, ServedModel> loaded = Map.of();
    private volatile String whyNot = "the model is being loaded";
    private volatile String startFailure;
    private Thread loader;

    public ServedModels(ServingConfig config, ServingMetrics metrics) {
        this.config = config;
        this.metrics = metrics;
        names = config.model().stream().map(ModelName::parse).toList();
        List<String> twice = names.stream().map(ModelName::name).toList();
        if (twice.stream().distinct().count() < twice.size()) {
            throw new IllegalArgumentException(
                    "model: each needs a name of its own, as NAME=URI, got " + String.join(", ", twice));
        }
        metrics.bind(names.stream().map(ModelName::name).toList(), this::loadedIfAny);
    }

    /**
     * Begins to load.
     *
     * @param whenReady called with the names each time that all are loaded
     */
    public void start(Consumer<List<String>> whenReady) {
        loader = Thread.ofPlatform().name("outpost-loader").daemon().start(() -> keepLoaded(whenReady));
    }

    /** What requests can call, whether it is loaded or not. */
    public List<String> names() {
        return names.stream().map(ModelName::name).toList();
    }

    public Instant created() {
        return created;
    }

    /** Whether all of them are loaded and warm. */
    public boolean isReady() {
        return !loaded.isEmpty();
    }

    /** Why they are not. */
    public String whyNotReady() {
        return whyNot;
    }

    /** What kept the server from loading its models the first time. */
    public Optional<String> startFailure() {
        return Optional.ofNullable(startFailure);
    }

    /** The model of a name; the only one of its kind where none is said. */
    public GeneratingModel generating(String name) {
        return find(name, GeneratingModel.class, "does not generate text");
    }

    /** As {@link #generating}, for vectors. */
    public EmbeddingModel embedding(String name) {
        return find(name, EmbeddingModel.class, "makes no embeddings");
    }

    /** As {@link #generating}, for whatever can rank texts: a {@link RerankModel} or an {@link EmbeddingModel}. */
    public ServedModel ranking(String name) {
        ServedModel found = find(name, ServedModel.class, "");
        if (found instanceof GeneratingModel) {
            throw new IllegalArgumentException("the model `" + name + "` ranks no texts; it generates text");
        }
        return found;
    }

    private <M extends ServedModel> M find(String name, Class<M> kind, String butIs) {
        if (name == null) {
            throw new IllegalArgumentException(
                    "you must provide a model parameter; there is " + String.join(", ", names()));
        }
        if (!names().contains(name)) {
            throw unknown(name);
        }
        ServedModel found = loaded.get(name);
        if (found == null) {
            throw new UnavailableException(whyNot, RETRY_AFTER);
        }
        if (!kind.isInstance(found)) {
            throw new IllegalArgumentException("the model `" + name + "` " + butIs);
        }
        return kind.cast(found);
    }

    /** What says that no model has the name. */
    public UnknownModelException unknown(String name) {
        return new UnknownModelException(name, names());
    }

    private Optional<ServedModel> loadedIfAny(String name) {
        return Optional.ofNullable(loaded.get(name));
    }

    private void keepLoaded(Consumer<List<String>> whenReady) {
        long pause = LEAST_PAUSE_MILLIS;
        boolean wasReady = false;
        while (closing.getCount() > 0) {
            RemoteMachine machine = null;
            Map<String, ServedModel> models = new LinkedHashMap<>();
            CountDownLatch machineFailed = new CountDownLatch(1);
            try {
                machine = new MachineSource(config, names).open();
                load(machine, models, machineFailed);
                loaded = Map.copyOf(models);
                wasReady = true;
                pause = LEAST_PAUSE_MILLIS;
                whenReady.accept(names());
                machineFailed.await();
                LOG.warn("the machine has failed; the models are loaded on another one");
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
                whyNot = "the server is shutting down";
            } catch (RuntimeException failed) {
                LOG.error("the models cannot be loaded: " + failed.getMessage());
                if (!wasReady && !isTransient(failed)) {
                    startFailure = failed.getMessage();
                    Quarkus.asyncExit(1);
                    return;
                }
            } finally {
                if (closing.getCount() > 0) {
                    whyNot = "the machine has failed, and the model is being loaded on another one";
                }
                loaded = Map.of();
                release(machine, models);
            }
            pause = pause(pause);
        }
    }

    private static boolean isTransient(RuntimeException failed) {
        return failed instanceof OutpostException known && known.kind() == FaultKind.EXTERNAL;
    }

    private long pause(long millis) {
        try {
            if (closing.await(millis, TimeUnit.MILLISECONDS)) {
                return 0;
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
        return Math.min(2 * millis, MOST_PAUSE_MILLIS);
    }

    /** Gives the machine back also where this thread is told to end: an interrupt would leave it behind. */
    private static void release(RemoteMachine machine, Map<String, ServedModel> models) {
        boolean isInterrupted = Thread.interrupted();
        for (ServedModel model : models.values()) {
            try {
                model.close();
            } catch (RuntimeException failed) {
                LOG.debug("what a failed machine held cannot be let go of", failed);
            }
        }
        if (machine != null) {
            MachineSource.closeQuietly(machine);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void load(RemoteMachine machine, Map<String, ServedModel> models, CountDownLatch machineFailed) {
        for (ModelName model : names) {
            long begun = System.nanoTime();
            Source source = machine.open(model.uri());
            models.put(model.name(), load(model.name(), source, machineFailed));
            LOG.infof("%s is loaded and warm after %.1f s", model.name(), (System.nanoTime() - begun) / 1e9);
        }
    }

    private ServedModel load(String name, Source source, CountDownLatch machineFailed) {
        if (CrossEncoder.isIn(source)) {
            return new RerankModel(name, CrossEncoder.load(source));
        }
        return isEncoder(source)
                ? new EmbeddingModel(name, Embedder.load(source))
                : generating(name, source, machineFailed);
    }

    private static boolean isEncoder(Source source) {
        String type =
                ModelConfig.parse(source.uri(), source.text("config.json")).modelType();
        return !ModelInfo.of(source).isKnown() && Embedder.knows(type);
    }

    private ServedModel generating(String name, Source source, CountDownLatch machineFailed) {
        // The pool of texts outside of the batch is not used.
        CausalLM model = CausalLM.load(
                source,
                dtype(),
                ModelRunner.pageTokens(),
                config.quantize().map(Quantization::of).orElse(null));
        ModelInfo info = ModelInfo.of(source);
        int textTokens = config.textTokens().orElse(Math.min(info.positions(), MOST_TEXT_TOKENS));
        long cacheTokens = config.cacheTokens().orElse((long) WHOLE_TEXTS * textTokens);
        ModelRunner runner = new ModelRunner(model, cacheTokens, config.texts(), textTokens);
        BatchSettings settings = new BatchSettings(config.stepTokens(), config.waiting(), config.ahead());
        model.tokenizer();
        BatchEngine.warmUp(runner, settings);
        GeneratingModel made = new GeneratingModel(name, model, runner, settings, metrics.listener(name));
        Thread.ofVirtual().start(() -> watch(made.engine(), machineFailed));
        return made;
    }

    private void watch(BatchEngine engine, CountDownLatch machineFailed) {
        try {
            engine.awaitEnd();
            if (engine.failure() != null) {
                LOG.error("the machine has failed: " + engine.failure().getMessage());
                machineFailed.countDown();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private DType dtype() {
        return config.dtype()
                .map(name -> DType.valueOf(name.toUpperCase(Locale.ROOT)))
                .orElse(null);
    }

    /** All models that are loaded. */
    public List<ServedModel> all() {
        return new ArrayList<>(loaded.values());
    }

    /** Ends what is under way, and gives the machine back. */
    @Override
    public void close() {
        closing.countDown();
        if (loader != null) {
            loader.interrupt();
            try {
                loader.join();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
