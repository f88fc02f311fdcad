package dev.outpost.simulated.kubernetes.api;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** A container's log on its way to a client. */
final class ContainerLogStream implements ContainerLog.Reader {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z' ").withZone(ZoneOffset.UTC);

    private final boolean stamped;
    private final Instant since;
    private final HttpStream stream;

    private ContainerLogStream(ContainerLog log, HttpServerRequest http, ApiRequest request) {
        String from = request.option("sinceTime");
        this.stamped = request.is("timestamps");
        this.since = from.isEmpty() ? Instant.MIN : Instant.parse(from);
        this.stream = HttpStream.of(Vertx.currentContext(), http, "text/plain", () -> log.leave(this));
    }

    /** Called on an event loop. */
    static void open(ContainerLog log, HttpServerRequest http, ApiRequest request) {
        String lines = request.option("tailLines");
        int atMax = lines.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(lines);
        log.read(atMax, request.is("follow"), new ContainerLogStream(log, http, request));
    }

    @Override
    public void line(ContainerLog.Line line) {
        if (!line.written().isBefore(since)) {
            stream.send((stamped ? STAMP.format(line.written()) : "") + line.text() + "\n");
        }
    }

    @Override
    public void end() {
        stream.end();
    }
}
