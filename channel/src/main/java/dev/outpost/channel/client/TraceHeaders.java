package dev.outpost.channel.client;

import io.grpc.Metadata;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapSetter;

/** The trace in which a connection was requested, if the program has set up OpenTelemetry. Calls carry it in their headers. */
final class TraceHeaders {
    private static final TextMapSetter<Metadata> SETTER =
            (headers, name, value) -> headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);

    private final Context context = Context.current();

    void addTo(Metadata headers) {
        // Do not use get(): after it, the program could no longer set OpenTelemetry up.
        GlobalOpenTelemetry.getOrNoop().getPropagators().getTextMapPropagator().inject(context, headers, SETTER);
    }
}
