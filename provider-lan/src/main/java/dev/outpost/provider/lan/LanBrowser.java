package dev.outpost.provider.lan;

import dev.outpost.channel.lan.WorkerRecord;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.jmdns.JmDNS;
import javax.jmdns.ServiceEvent;
import javax.jmdns.ServiceInfo;
import javax.jmdns.ServiceListener;

/**
 * Listens to the announcements of workers on all networks of this host. It also queries from time to time, because
 * otherwise a new worker might be found seconds later. It checks each announcement, and keeps the malformed ones
 * apart with the reason.
 */
final class LanBrowser implements AutoCloseable {
    /** The maximum number of workers. More workers than this are an attack, or the network is not local. */
    private static final int MAX_WORKERS = 1024;

    private static final long ASK_MILLIS = 1000;
    private static final int MAX_ADDRESSES = 16;

    /** A worker as one network announces it. */
    record Heard(WorkerRecord record, List<InetAddress> addresses, int port) {}

    private final List<JmDNS> responders = new ArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("outpost-discovery").factory());
    private final Object lock = new Object();
    /** The announcements, by the service's name and the network. */
    private final Map<String, Heard> heard = new LinkedHashMap<>();
    /** The reasons why announcements were left out, by the same keys. */
    private final Map<String, String> refused = new LinkedHashMap<>();

    /** The time of the latest new announcement. Guarded by the lock. */
    private long newestNanos;

    private LanBrowser() {}

    /** Listens until this is closed. Fails if it can listen on no network. */
    static LanBrowser start(List<InetAddress> networks) throws IOException {
        LanBrowser browser = new LanBrowser();
        List<String> problems = new ArrayList<>();
        for (InetAddress network : networks) {
            try {
                browser.listenOn(network);
            } catch (IOException failure) {
                problems.add(network.getHostAddress() + ": " + failure.getMessage());
            }
        }
        if (browser.responders.isEmpty()) {
            browser.close();
            throw new IOException("workers cannot be looked for on any network: " + String.join("; ", problems));
        }
        return browser;
    }

    private void listenOn(InetAddress network) throws IOException {
        JmDNS responder = JmDNS.create(network);
        responders.add(responder);
        ServiceListener listener = new Listener(network.getHostAddress());
        responder.addServiceListener(WorkerRecord.SERVICE, listener);
        timer.scheduleWithFixedDelay(() -> ask(responder, listener), ASK_MILLIS, ASK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Adds the listener again, because the library then sends a new query. */
    private static void ask(JmDNS responder, ServiceListener listener) {
        responder.removeServiceListener(WorkerRecord.SERVICE, listener);
        responder.addServiceListener(WorkerRecord.SERVICE, listener);
    }

    /** Returns true if a worker was announced, and no new worker was announced for the given time. */
    boolean isSettled(Duration quiet) {
        synchronized (lock) {
            return !(heard.isEmpty() && refused.isEmpty()) && System.nanoTime() - newestNanos > quiet.toNanos();
        }
    }

    List<Heard> announcements() {
        synchronized (lock) {
            return List.copyOf(heard.values());
        }
    }

    /** Returns a sentence for each announcement that was left out. */
    List<String> refused() {
        synchronized (lock) {
            return List.copyOf(refused.values());
        }
    }

    private final class Listener implements ServiceListener {
        private final String network;
        private final RecordQuestions questions = new RecordQuestions(System.nanoTime());

        Listener(String network) {
            this.network = network;
        }

        @Override
        public void serviceAdded(ServiceEvent event) {
            if (event.getInfo() != null && event.getInfo().hasData()) {
                take(event);
            } else if (questions.mayAsk(event.getName(), System.nanoTime())) {
                event.getDNS().requestServiceInfo(event.getType(), event.getName(), 1);
            }
        }

        @Override
        public void serviceRemoved(ServiceEvent event) {
            synchronized (lock) {
                heard.remove(key(event));
                refused.remove(key(event));
            }
        }

        @Override
        public void serviceResolved(ServiceEvent event) {
            take(event);
        }

        private String key(ServiceEvent event) {
            return event.getName() + "\n" + network;
        }

        private void take(ServiceEvent event) {
            ServiceInfo info = event.getInfo();
            // The first event of a service comes before its record.
            if (info.getTextBytes() == null || info.getTextBytes().length <= 1 || info.getInetAddresses().length == 0) {
                return;
            }
            questions.answered(event.getName());
            synchronized (lock) {
                if (!heard.containsKey(key(event)) && !refused.containsKey(key(event))) {
                    newestNanos = System.nanoTime();
                }
                try {
                    Heard worker = read(info);
                    if (heard.size() < MAX_WORKERS || heard.containsKey(key(event))) {
                        heard.put(key(event), worker);
                        refused.remove(key(event));
                    }
                } catch (IllegalArgumentException failure) {
                    heard.remove(key(event));
                    if (refused.size() < MAX_WORKERS) {
                        refused.put(key(event), clean(event.getName()) + ": " + failure.getMessage());
                    }
                }
            }
        }
    }

    private static Heard read(ServiceInfo info) {
        Map<String, String> entries = new HashMap<>();
        for (String key : Collections.list(info.getPropertyNames())) {
            entries.put(key, Optional.ofNullable(info.getPropertyString(key)).orElse(""));
        }
        WorkerRecord record = WorkerRecord.parse(entries);
        if (info.getPort() < 1 || info.getPort() > 65_535) {
            throw new IllegalArgumentException("announcement: expected a port from 1 to 65535, got " + info.getPort());
        }
        Stream<InetAddress> addresses = Arrays.stream(info.getInetAddresses());
        return new Heard(
                record,
                addresses
                        .filter(address -> !address.isMulticastAddress() && !address.isAnyLocalAddress())
                        .sorted((one, other) ->
                                Boolean.compare(other instanceof Inet4Address, one instanceof Inet4Address))
                        .limit(MAX_ADDRESSES)
                        .toList(),
                info.getPort());
    }

    private static String clean(String name) {
        String cut = name.length() > 100 ? name.substring(0, 100) + "..." : name;
        return cut.replaceAll("[^ -~]", "?");
    }

    /** Ends at once. A responder takes two seconds to end. The caller does not wait for that. */
    @Override
    public void close() {
        timer.shutdownNow();
        responders.forEach(responder ->
                Thread.ofPlatform().daemon().name("outpost-discovery-end").start(() -> close(responder)));
    }

    private static void close(JmDNS responder) {
        try {
            responder.close();
        } catch (IOException ignored) {
            // The network interface was removed, so nothing is left to close.
        }
    }
}
