package dev.outpost.runtime.server.lan;

import dev.outpost.channel.lan.WorkerRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.jmdns.JmDNS;
import javax.jmdns.ServiceInfo;
import org.jboss.logging.Logger;

/** Announces a worker on each network of its host, and keeps the announcements up to date. */
public final class LanAnnouncer implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(LanAnnouncer.class);
    private static final long EVERY_SECONDS = 2;

    private final Supplier<WorkerRecord> record;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("outpost-announce").factory());
    /** The announcement on each network. After the start, only the timer uses it. */
    private final Map<JmDNS, ServiceInfo> services = new LinkedHashMap<>();

    private WorkerRecord announced;

    private LanAnnouncer(Supplier<WorkerRecord> record) {
        this.record = record;
    }

    /**
     * Announces the worker until the returned announcer is closed. Logs each network that cannot be used; fails if
     * none can be used.
     *
     * @param record returns the worker's description; called every two seconds
     */
    public static LanAnnouncer start(List<InetAddress> networks, int port, Supplier<WorkerRecord> record)
            throws IOException {
        LanAnnouncer announcer = new LanAnnouncer(record);
        announcer.announced = record.get();
        List<String> problems = new ArrayList<>();
        for (InetAddress network : networks) {
            try {
                announcer.announceOn(network, port);
            } catch (IOException failure) {
                LOG.warnf("not announced on %s: %s", network.getHostAddress(), failure.getMessage());
                problems.add(network.getHostAddress() + ": " + failure.getMessage());
            }
        }
        if (announcer.services.isEmpty()) {
            announcer.close();
            throw new IOException("the machine cannot be announced on any network: " + String.join("; ", problems));
        }
        announcer.timer.scheduleWithFixedDelay(announcer::refresh, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
        return announcer;
    }

    private void announceOn(InetAddress network, int port) throws IOException {
        JmDNS responder = JmDNS.create(network, hostName(network));
        ServiceInfo service =
                ServiceInfo.create(WorkerRecord.SERVICE, announced.name(), port, 0, 0, announced.entries());
        services.put(responder, service);
        responder.registerService(service);
    }

    /**
     * Returns a host name that is unique for this worker, because two workers on one host must not appear as one
     * host.
     */
    private String hostName(InetAddress network) {
        return "outpost-" + Integer.toHexString(announced.certificate().hashCode()) + "-"
                + Integer.toHexString(network.hashCode());
    }

    private void refresh() {
        try {
            WorkerRecord now = record.get();
            if (!now.equals(announced)) {
                announced = now;
                services.values().forEach(service -> service.setText(new LinkedHashMap<>(now.entries())));
            }
        } catch (RuntimeException failure) {
            LOG.error("the announcement could not be refreshed", failure);
        }
    }

    /** Withdraws the announcement. */
    @Override
    public void close() {
        timer.shutdownNow();
        for (JmDNS responder : services.keySet()) {
            try {
                responder.close();
            } catch (IOException failure) {
                LOG.debugf("a network is gone: %s", failure.getMessage());
            }
        }
    }
}
