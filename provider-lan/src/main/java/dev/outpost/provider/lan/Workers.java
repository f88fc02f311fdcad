package dev.outpost.provider.lan;

import dev.outpost.channel.Trust;
import dev.outpost.channel.lan.LanAddresses;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.lan.LanBrowser.Heard;
import dev.outpost.provider.lan.Worker.Pairing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The workers of the local network. Searches until it is closed; each {@link #list} returns the current workers.
 *
 * <pre>{@code
 * try (var workers = Workers.discover(Duration.ofSeconds(3))) {
 *     workers.list().forEach(worker -> System.out.println(worker.name() + " " + worker.gpu()));
 * }
 * }</pre>
 *
 * <p>Only workers that this client is paired with can be used; {@link #pair} pairs one. Thread-safe.
 */
public final class Workers implements AutoCloseable {
    /** The property with addresses of this host, separated by commas. Workers are searched on the networks of these addresses. */
    public static final String ADDRESSES_PROPERTY = "outpost.lan.addresses";

    /** The environment variable with the same meaning. */
    public static final String ADDRESSES_ENVIRONMENT = "OUTPOST_LAN_ADDRESSES";

    private static final long LOOK_MILLIS = 50;

    /** The time without a new worker after which the search is complete; announced workers answer within a second. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final LanBrowser browser;
    private final KnownWorkers known;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private Workers(LanBrowser browser, KnownWorkers known) {
        this.browser = browser;
        this.known = known;
    }

    /**
     * Searches for workers. Returns when no further worker was found for a second after the last one, at the latest after the given time.
     * The search continues after that.
     */
    public static Workers discover(Duration time) {
        Workers workers = open();
        long end = System.nanoTime() + time.toNanos();
        try {
            while (System.nanoTime() < end && !workers.browser.isSettled(QUIET)) {
                Thread.sleep(LOOK_MILLIS);
            }
            return workers;
        } catch (InterruptedException interrupted) {
            workers.close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("discover: interrupted", interrupted);
        }
    }

    /** Starts to search for workers without waiting for any. */
    public static Workers open() {
        try {
            Optional<String> said = Optional.ofNullable(System.getProperty(ADDRESSES_PROPERTY))
                    .or(() -> Optional.ofNullable(System.getenv(ADDRESSES_ENVIRONMENT)))
                    .filter(text -> !text.isBlank());
            return new Workers(LanBrowser.start(LanAddresses.ofHost(said.orElse(null))), KnownWorkers.ofUser());
        } catch (IOException failure) {
            throw new UncheckedIOException("lan: " + failure.getMessage(), failure);
        }
    }

    /**
     * Returns all workers that are announced now, by name. Connects to each, so the call takes as long as the slowest worker, or as the
     * timeout if one does not answer.
     */
    public List<Worker> list() {
        Map<String, KnownWorkers.Entry> entries = entries();
        List<CompletableFuture<Worker>> asked = merged().stream()
                .map(each -> CompletableFuture.supplyAsync(() -> worker(each, entries), threads))
                .toList();
        return asked.stream()
                .map(CompletableFuture::join)
                .sorted(Comparator.comparing(Worker::name).thenComparing(Worker::certificate))
                .toList();
    }

    /** Returns the workers that answer and that this client is paired with. */
    public List<Worker> usable() {
        return list().stream().filter(Worker::isUsable).toList();
    }

    /** Returns a sentence for each malformed announcement. */
    public List<String> refused() {
        return browser.refused();
    }

    /** Waits until the given number of workers can be used, or the time is over. Returns the usable ones. */
    public List<Worker> await(int count, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        List<Worker> found = usable();
        while (found.size() < count && System.nanoTime() < end) {
            Thread.sleep(LOOK_MILLIS);
            found = usable();
        }
        return found;
    }

    /**
     * Pairs this client with a worker. Both remember each other. Waits for the worker.
     *
     * @param name the worker's name, or, if several have it, the first 8 or more digits of its certificate's hash
     * @param code the code that the worker shows, or the token that was set for it
     * @throws IOException if the worker is not found, refuses, or is not the worker that shows the code
     */
    public Worker pair(String name, String code) throws IOException {
        Worker worker = only(name);
        KnownWorkers.Entry entry = PairingClient.pair(worker, code);
        known.put(entry);
        return list().stream()
                .filter(each -> each.certificate().equals(worker.certificate()))
                .findFirst()
                .orElse(worker);
    }

    /**
     * Removes a worker, so that this client can no longer use it.
     *
     * @return true if it was known
     */
    public boolean forget(String name) throws IOException {
        return known.remove(name);
    }

    /** Returns the only worker of a name, or of a certificate. */
    private Worker only(String name) throws IOException {
        List<Worker> all = list();
        List<Worker> named = all.stream()
                .filter(each -> each.name().equals(name)
                        || name.length() >= 8 && each.certificate().startsWith(name))
                .toList();
        if (named.size() == 1) {
            return named.getFirst();
        }
        if (named.isEmpty()) {
            throw new IOException("lan: no worker is called " + name + "; there are "
                    + (all.isEmpty()
                            ? "none"
                            : String.join(", ", all.stream().map(Worker::name).toList())));
        }
        throw new IOException("lan: " + named.size() + " workers are called " + name
                + "; choose one by the first digits of its certificate: "
                + String.join(
                        ", ",
                        named.stream()
                                .map(each -> each.certificate().substring(0, 12) + " at " + each.address())
                                .toList()));
    }

    private Map<String, KnownWorkers.Entry> entries() {
        try {
            return known.read();
        } catch (IOException failure) {
            throw new UncheckedIOException("lan: " + failure.getMessage(), failure);
        }
    }

    /** Merges announcements of the same worker on several networks. The certificate and port identify a worker. */
    private List<Heard> merged() {
        Map<String, Heard> byWorker = new LinkedHashMap<>();
        for (Heard each : browser.announcements()) {
            byWorker.merge(each.record().certificate() + ":" + each.port(), each, Workers::merge);
        }
        return List.copyOf(byWorker.values());
    }

    private static Heard merge(Heard one, Heard other) {
        Set<InetAddress> addresses = new LinkedHashSet<>(one.addresses());
        addresses.addAll(other.addresses());
        return new Heard(other.record(), new ArrayList<>(addresses), one.port());
    }

    private static Worker worker(Heard heard, Map<String, KnownWorkers.Entry> entries) {
        Optional<Reachability.Answer> answer = Reachability.of(heard.addresses(), heard.port());
        String host = answer.map(each -> each.address().getHostAddress())
                .orElseGet(() -> heard.addresses().isEmpty()
                        ? "unknown"
                        : heard.addresses().getFirst().getHostAddress());
        KnownWorkers.Entry entry = entries.get(heard.record().certificate());
        boolean isNameKnown = entries.values().stream()
                .anyMatch(each -> each.name().equals(heard.record().name()));
        Pairing pairing = entry != null ? Pairing.PAIRED : isNameKnown ? Pairing.CHANGED : Pairing.NEW;
        Optional<Endpoint.Remote> access = Optional.ofNullable(entry)
                .map(each -> new Endpoint.Remote(host, heard.port(), new Trust.Pin(each.certificate()), each.token()));
        return Worker.of(heard.record(), host, heard.port(), answer.map(Reachability.Answer::latency), pairing, access);
    }

    @Override
    public void close() {
        browser.close();
        threads.shutdownNow();
    }
}
