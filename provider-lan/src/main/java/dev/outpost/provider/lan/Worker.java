package dev.outpost.provider.lan;

import dev.outpost.channel.HostPort;
import dev.outpost.channel.lan.WorkerRecord;
import dev.outpost.provider.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A worker as it was found.
 *
 * @param name what it is called
 * @param host its address; an IPv6 address without brackets
 * @param port where it serves
 * @param gpu the name of its GPU, or of what computes in place of one
 * @param engine what computes
 * @param memoryBytes what values of all sessions may take
 * @param freeBytes how much of that was free
 * @param formats of models that it runs
 * @param sessions how many clients computed on it
 * @param version of Outpost
 * @param certificate the SHA-256 of the certificate that it announces
 * @param latency how long a connection to it takes; nothing where it does not answer
 * @param pairing whether this client may use it
 * @param access how this client gets in; nothing unless it is paired
 */
public record Worker(
        String name,
        String host,
        int port,
        String gpu,
        String engine,
        long memoryBytes,
        long freeBytes,
        List<String> formats,
        int sessions,
        String version,
        String certificate,
        Optional<Duration> latency,
        Pairing pairing,
        Optional<Endpoint.Remote> access) {

    /** Whether a client may use a worker. */
    public enum Pairing {
        /** It may. */
        PAIRED,
        /** The worker was never met, and has to be paired. */
        NEW,
        /** The worker announces another certificate than that of the worker of its name that this client is paired with. */
        CHANGED
    }

    static Worker of(
            WorkerRecord record,
            String host,
            int port,
            Optional<Duration> latency,
            Pairing pairing,
            Optional<Endpoint.Remote> access) {
        return new Worker(
                record.name(),
                host,
                port,
                record.gpu(),
                record.engine(),
                record.memoryBytes(),
                record.freeBytes(),
                record.formats(),
                record.sessions(),
                record.version(),
                record.certificate(),
                latency,
                pairing,
                access);
    }

    /** Host and port as one writes them. */
    public String address() {
        return HostPort.text(host, port);
    }

    /** Whether it answered, and this client may use it. */
    public boolean isUsable() {
        return latency.isPresent() && access.isPresent();
    }

    /** Whether it runs models of a format. */
    public boolean runs(String format) {
        return formats.contains(format);
    }

    /** How this client gets in; a worker that is not paired is refused in a sentence. */
    public Endpoint.Remote endpoint() {
        return access.orElseThrow(() -> new IllegalStateException(refusal()));
    }

    /** Why this client may not use it. */
    public String refusal() {
        return switch (pairing) {
            case PAIRED -> latency.isPresent() ? name + " may be used" : name + " at " + address() + " does not answer";
            case NEW ->
                name + " at " + address() + " is not paired with this client: ./outpost workers pair " + name
                        + " asks for the code that it shows";
            case CHANGED ->
                name + " at " + address()
                        + " announces another certificate than the worker of that name that this client is"
                        + " paired with; if its key was renewed, ./outpost workers pair " + name + " pairs it anew";
        };
    }
}
