package dev.outpost.serving.engine;

import dev.outpost.RemoteMachine;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import io.quarkus.runtime.Quarkus;
import java.time.Duration;
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
 * The models of a server, on one machine. A thread loads the models, and loads them again on another machine if the
 * machine fails. Until they are loaded, requests are refused with the reason. If the first load fails, the server
 * ends. Thread-safe.
 */
public final class LocalModels implements ModelDirectory {
    private static final Logger LOG = Logger.getLogger(LocalModels.class);
    private static final long MIN_PAUSE_MILLIS = 500;
    private static final long MAX_PAUSE_MILLIS = 30_000;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ServingConfig config;
    private final ModelLoader loader;
    private final List<ModelName> models;
    private final List<AdapterName> adapters;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Map<String, ServedModel> loaded = Map.of();
    private volatile String whyNot = "the model is being loaded";
    private volatile String startFailure;
    private Thread keeper;

    public LocalModels(ServingConfig config, ServingMetrics metrics) {
        this.config = config;
        loader = new ModelLoader(config, metrics);
        models = config.model().orElse(List.of()).stream().map(ModelName::parse).toList();
        List<String> modelNames = models.stream().map(ModelName::name).toList();
        adapters = config.adapter().orElse(List.of()).stream()
                .map(text -> AdapterName.parse(text, modelNames))
                .toList();
        List<String> all = names();
        if (all.stream().distinct().count() < all.size()) {
            throw new IllegalArgumentException(
                    "model: each needs a name of its own, as NAME=URI, got " + String.join(", ", all));
        }
        metrics.bind(modelNames, this::loadedIfAny);
    }

    @Override
    public void start(Consumer<List<String>> whenReady) {
        keeper = Thread.ofPlatform().name("outpost-loader").daemon().start(() -> keepLoaded(whenReady));
    }

    @Override
    public List<String> names() {
        return Stream.concat(
                        models.stream().map(ModelName::name), adapters.stream().map(AdapterName::full))
                .toList();
    }

    /** True if all models are loaded and warm. */
    @Override
    public boolean isReady() {
        return !loaded.isEmpty();
    }

    @Override
    public String whyNotReady() {
        return whyNot;
    }

    @Override
    public Optional<String> startFailure() {
        return Optional.ofNullable(startFailure);
    }

    @Override
    public ServedModel await(String name) {
        if (!names().contains(name)) {
            throw new UnknownModelException(name, names());
        }
        ServedModel found = loaded.get(name);
        if (found == null) {
            throw new UnavailableException(whyNot, RETRY_AFTER);
        }
        return found;
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

    /** Releases the machine even if this thread is interrupted. Otherwise the interrupt would leave the machine running. */
    private static void release(RemoteMachine machine, Map<String, ServedModel> models) {
        boolean isInterrupted = Thread.interrupted();
        for (ServedModel model : models.values()) {
            try {
                model.close();
            } catch (RuntimeException failure) {
                LOG.debug("the resources of a failed machine cannot be released", failure);
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

    /** Loads the weights of all models first, then divides the remaining memory among their texts. */
    private void load(RemoteMachine machine, Map<String, ServedModel> made, CountDownLatch machineFailed) {
        Map<String, LoadedWeights> weights = new LinkedHashMap<>();
        for (ModelName model : models) {
            List<String> places = adaptersOf(model.name()).map(AdapterName::uri).toList();
            weights.put(
                    model.name(),
                    loader.loadWeights(machine, model, places, config.dtype().orElse(null)));
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

    @Override
    public void close() {
        closing.countDown();
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
