package dev.outpost.runtime.server;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;

/** OpenTelemetry as the variables OTEL_* set it up; nothing of it is loaded where they name no place to send traces to. */
final class Telemetry {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final Map<String, String> DEFAULTS = Map.of(
            "otel.service.name", "outpost-runtime",
            // Metrics are Prometheus' (/q/metrics), and logs stay where they are.
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none");

    private Telemetry() {}

    static boolean isWanted() {
        String endpoint = System.getenv(ENDPOINT);
        return endpoint != null && !endpoint.isBlank();
    }

    /** Spans that are left are sent when the JVM ends. */
    static OpenTelemetry start() {
        return isWanted() ? Sdk.start() : OpenTelemetry.noop();
    }

    /** Apart, so that its classes are not looked for without need. */
    private static final class Sdk {
        static OpenTelemetry start() {
            return AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> DEFAULTS)
                    .build()
                    .getOpenTelemetrySdk();
        }
    }
}
