package dev.outpost.system.lan;

import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.Workers;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A client of workers with its own pairings, which searches one network. */
final class LanClient implements AutoCloseable {
    private static final String KNOWN = "outpost.lan.workers";

    private final String known = System.getProperty(KNOWN);
    private final String addresses = System.getProperty(Workers.ADDRESSES_PROPERTY);
    private final Workers workers;

    private LanClient(Path file, String where) {
        System.setProperty(KNOWN, file.toString());
        System.setProperty(Workers.ADDRESSES_PROPERTY, where);
        this.workers = Workers.open();
    }

    /** @param addresses the addresses of this host on the networks on which it looks for workers */
    static LanClient open(Path folder, String addresses) {
        return new LanClient(folder.resolve("known-workers"), addresses);
    }

    Workers workers() {
        return workers;
    }

    List<Worker> named(String name) {
        return workers.list().stream()
                .filter(worker -> worker.name().equals(name))
                .toList();
    }

    /** Waits until a worker with this name satisfies a condition. */
    Worker await(String name, Predicate<Worker> isIt) {
        Worker[] found = new Worker[1];
        Await.until(() -> name + " among " + workers.list(), () -> {
            found[0] = named(name).stream().filter(isIt).findFirst().orElse(null);
            return found[0] != null;
        });
        return found[0];
    }

    Worker awaitAnswering(String name) {
        return await(name, worker -> worker.latency().isPresent());
    }

    /** Finds a worker and pairs with it. */
    Worker pair(String name, LanWorkerProcess process) {
        awaitAnswering(name);
        pairAfterPause(name, process.code());
        return await(name, Worker::isUsable);
    }

    /** Pairs with a worker once it accepts codes from this address again: it pauses after a wrong code. */
    Worker pairAfterPause(String name, String code) {
        return Await.present("a pairing with " + name, () -> {
            try {
                return Optional.of(workers.pair(name, code));
            } catch (IOException failure) {
                if (failure.getMessage().contains("wrong codes came from")) {
                    return Optional.empty();
                }
                throw failure;
            }
        });
    }

    @Override
    public void close() {
        workers.close();
        restore(KNOWN, known);
        restore(Workers.ADDRESSES_PROPERTY, addresses);
    }

    private static void restore(String property, String value) {
        if (value == null) {
            System.clearProperty(property);
        } else {
            System.setProperty(property, value);
        }
    }
}
