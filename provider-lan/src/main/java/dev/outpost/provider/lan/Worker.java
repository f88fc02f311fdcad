package dev.outpost.provider.lan;

import dev.outpost.channel.HostPort;
import dev.outpost.channel.lan.WorkerRecord;
import dev.outpost.provider.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A worker of the local network, at the time when it was found.
 *
 * @param name its name
 * @param host its address; an IPv6 address without brackets
 * @param port its TCP port
 * @param gpu the name of its GPU, or of the device that computes in its place
 * @param engine its engine, such as {@code cuda}
 * @param memoryBytes the memory for the values of all sessions, in bytes
 * @param freeBytes the free part of that, in bytes
 * @param formats the model formats that it runs
 * @param sessions the number of sessions on it
 * @param version the version of Outpost that it runs
 * @param certificate the SHA-256 of the certificate that it announces
 * @param latency the time to connect to it; empty if it does not answer
 * @param pairing the relation of this client to it, which decides if the client may use it
 * @param access the endpoint for this client; empty unless it is paired
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

    /** The relation of this client to a worker. */
    public enum Pairing {
        /** The client may use it. */
        PAIRED,
        /** The client has never met this worker, and must pair with it. */
        NEW,
        /** The client is paired with a worker of this name, but this one announces another certificate. */
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

    /** Returns the host and port as text, such as {@code 10.0.0.7:7400}. */
    public String address() {
        return HostPort.text(host, port);
    }

    /** Returns true if the worker answered and this client may use it. */
    public boolean isUsable() {
        return latency.isPresent() && access.isPresent();
    }

    /** Returns true if the worker runs models of a format. */
    public boolean runs(String format) {
        return formats.contains(format);
    }

    /**
     * Returns the endpoint for this client. Throws an exception with the {@link #refusal} if the worker is not
     * paired.
     */
    public Endpoint.Remote endpoint() {
        return access.orElseThrow(() -> new IllegalStateException(refusal()));
    }

    /** Returns a sentence that says why this client may not use the worker. */
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
