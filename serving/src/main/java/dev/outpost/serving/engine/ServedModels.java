package dev.outpost.serving.engine;

import dev.outpost.RemoteMachine;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import io.quarkus.runtime.Quarkus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The models of a server, on one machine. A thread loads them, and loads them again on another machine where that one fails;
 * requests are refused meanwhile, and say so. What cannot be loaded the first time ends the server. Thread-safe.
 */
@Singleton
public final class ServedModels implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ServedModels.class);
    private static final long MIN_PAUSE_MILLIS = 500;
    private static final long MAX_PAUSE_MILLIS = 30_000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ServingConfig config;
    private final ModelLoader loader;
    private final ModelGateway gateway;
    private final List<ModelName> models;
    private final List<AdapterName> adapters;
    private final Instant created = Instant.now();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Map<String, ServedModel> loaded = Map.of();
    private volatile String whyNot = "the model is being loaded";
    private volatile String startFailure;
    private Thread keeper;

    public ServedModels(ServingConfig config, ServingMetrics metrics, ModelGateway gateway) {
        this.config = config;
        loader = new ModelLoader(config, metrics);
        this.gateway = gateway;
        models = config.model().orElse(List.of()).stream().map(ModelName::parse).toList();
        List<String> modelNames = models.stream().map(ModelName::name).toList();
        adapters = config.adapter().orElse(List.of()).stream()
                .map(text -> AdapterName.parse(text, modelNames))
                .toList();
        List<String> twice = ownNames();
        if (twice.stream().distinct().count() < twice.size()) {
            throw new IllegalArgumentException(
                    "model: each needs a name of its own, as NAME=URI, got " + String.join(", ", twice));
        }
        metrics.bind(modelNames, this::loadedIfAny);
    }

    private List<String> ownNames() {
        return Stream.concat(
                        models.stream().map(ModelName::name), adapters.stream().map(AdapterName::full))
                .toList();
    }

    /**
     * Begins to load.
     *
     * @param whenReady called with the names each time that all are loaded
     */
    public void start(Consumer<List<String>> whenReady) {
        if (config.gateway()) {
            gateway.start(whenReady);
            return;
        }
        keeper = Thread.ofPlatform().name("outpost-loader").daemon().start(() -> keepLoaded(whenReady));
    }

    /** The names that requests can use, whether a model is loaded or not. */
    public List<String> names() {
        return config.gateway() ? gateway.names() : ownNames();
    }

    public Instant created() {
        return created;
    }

    /** Whether all of them are loaded and warm. */
    public boolean isReady() {
        return config.gateway() ? gateway.isConnected() : !loaded.isEmpty();
    }

    /** Why they are not. */
    public String whyNotReady() {
        return config.gateway() ? "the backend has not answered yet" : whyNot;
    }

    /** The failure that kept the server from loading its models the first time. */
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
        if (found instanceof GeneratingModel || found instanceof ProgramModel) {
            throw new IllegalArgumentException("the model `" + name + "` ranks no texts");
        }
        return found;
    }

    /** A published program. */
    public ProgramModel program(String name) {
        return find(name, ProgramModel.class, "is no program");
    }

    private <M extends ServedModel> M find(String name, Class<M> kind, String butIs) {
        if (name == null) {
            throw new IllegalArgumentException(
                    "you must provide a model parameter; there is " + String.join(", ", names()));
        }
        ServedModel found = config.gateway() ? gateway.await(name) : loaded(name);
        if (!kind.isInstance(found)) {
            throw new IllegalArgumentException("the model `" + name + "` " + butIs);
        }
        return kind.cast(found);
    }

    private ServedModel loaded(String name) {
        if (!names().contains(name)) {
            throw unknown(name);
        }
        ServedModel found = loaded.get(name);
        if (found == null) {
            throw new UnavailableException(whyNot, RETRY_AFTER);
        }
        return found;
    }

    /** The exception that no model has the name. */
    public UnknownModelException unknown(String name) {
        return new UnknownModelException(name, names());
    }

    private Optional<ServedModel> loadedIfAny(String name) {
        return Optional.ofNullable(loaded.get(name));
    }

    private void keepLoaded(Consumer<List<String>> whenReady) {
        long pause = MIN_PAUSE_MILLIS;
        boolean wasReady = false;
        while (closing.getCount() > 0) {
            RemoteMachine machine = null;
            Map<String, ServedModel> made = new LinkedHashMap<>();
            CountDownLatch machineFailed = new CountDownLatch(1);
            try {
                machine = new ConfiguredMachines(config, uris()).open();
                load(machine, made, machineFailed);
                loaded = Map.copyOf(made);
                wasReady = true;
                pause = MIN_PAUSE_MILLIS;
                whenReady.accept(names());
                machineFailed.await();
                LOG.warn("the machine has failed; the models are loaded on another one");
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                whyNot = "the server is shutting down";
            } catch (RuntimeException failure) {
                LOG.error("the models cannot be loaded: " + failure.getMessage());
                if (!wasReady && !isTransient(failure)) {
                    startFailure = failure.getMessage();
                    Quarkus.asyncExit(1);
                    return;
                }
            } finally {
                if (closing.getCount() > 0) {
                    whyNot = "the machine has failed, and the model is being loaded on another one";
                }
                loaded = Map.of();
                release(machine, made);
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
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return Math.min(2 * millis, MAX_PAUSE_MILLIS);
    }

    /** Gives the machine back also where this thread is told to end: an interrupt would leave it behind. */
    private static void release(RemoteMachine machine, Map<String, ServedModel> models) {
        boolean isInterrupted = Thread.interrupted();
        for (ServedModel model : models.values()) {
            try {
                model.close();
            } catch (RuntimeException failure) {
                LOG.debug("what a failed machine held cannot be let go of", failure);
            }
        }
        if (machine != null) {
            ConfiguredMachines.closeQuietly(machine);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> uris() {
        return Stream.concat(
                        models.stream().map(ModelName::uri), adapters.stream().map(AdapterName::uri))
                .toList();
    }

    /** Weights of all models come first, then what is left of the memory is divided among their texts. */
    private void load(RemoteMachine machine, Map<String, ServedModel> made, CountDownLatch machineFailed) {
        Map<String, LoadedWeights> weights = new LinkedHashMap<>();
        for (ModelName model : models) {
            List<String> places = adaptersOf(model.name()).map(AdapterName::uri).toList();
            weights.put(model.name(), loader.loadWeights(machine, model, places, config.dtype()));
        }
        Map<LoadedWeights.TextDecoder, CacheBudget.Room> rooms = loader.rooms(
                machine,
                weights.values().stream()
                        .filter(LoadedWeights.TextDecoder.class::isInstance)
                        .map(LoadedWeights.TextDecoder.class::cast)
                        .toList());
        weights.forEach((name, own) -> {
            switch (own) {
                case LoadedWeights.Encoder encoder -> made.put(name, encoder.model());
                case LoadedWeights.TextDecoder decoder ->
                    putDecoder(made, loader.start(decoder, rooms.get(decoder), why -> machineFailed.countDown()));
            }
        });
    }

    private void putDecoder(Map<String, ServedModel> made, GeneratingModel base) {
        made.put(base.name(), base);
        int number = 1;
        for (AdapterName adapter : adaptersOf(base.name()).toList()) {
            made.put(adapter.full(), base.adapted(adapter.full(), number++));
        }
    }

    private Stream<AdapterName> adaptersOf(String model) {
        return adapters.stream().filter(adapter -> adapter.model().equals(model));
    }

    /** All models that are loaded. */
    public List<ServedModel> all() {
        return new ArrayList<>(loaded.values());
    }

    /** Ends what is under way, and gives the machine back. */
    @Override
    public void close() {
        closing.countDown();
        gateway.close();
        if (keeper != null) {
            keeper.interrupt();
            try {
                keeper.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
