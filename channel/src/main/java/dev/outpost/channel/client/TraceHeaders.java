package dev.outpost.channel.client;

import io.grpc.Metadata;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapSetter;

/** The trace in which a connection was asked for, where the program has set up OpenTelemetry; calls carry it in their headers. */
final class TraceHeaders {
    private static final TextMapSetter<Metadata> SETTER =
            (headers, name, value) -> headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);

    private final Context context = Context.current();

    void addTo(Metadata headers) {
        // Not get(), which would keep the program from setting it up later.
        GlobalOpenTelemetry.getOrNoop().getPropagators().getTextMapPropagator().inject(context, headers, SETTER);
    }
}
